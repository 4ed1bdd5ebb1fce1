package synapsetest

import (
	"net/http"
	"strconv"
)

const (
	externalS3  = "org.sagebionetworks.repo.model.project.ExternalS3StorageLocationSetting"
	synapseS3   = "org.sagebionetworks.repo.model.project.S3StorageLocationSetting"
	uploadsList = "org.sagebionetworks.repo.model.project.UploadDestinationListSetting"
)

// location is a storage location on the wire.
type location struct {
	ConcreteType      string `json:"concreteType"`
	StorageLocationID int64  `json:"storageLocationId,omitempty"`
	Bucket            string `json:"bucket,omitempty"`
	BaseKey           string `json:"baseKey,omitempty"`
	STSEnabled        bool   `json:"stsEnabled,omitempty"`
	EndpointURL       string `json:"endpointUrl,omitempty"`
	Description       string `json:"description,omitempty"`
	UploadType        string `json:"uploadType,omitempty"`

	owner int64
}

// setting says where what is uploaded to an entity goes.
type setting struct {
	ConcreteType string  `json:"concreteType"`
	ID           string  `json:"id,omitempty"`
	Etag         string  `json:"etag,omitempty"`
	ProjectID    string  `json:"projectId"`
	SettingsType string  `json:"settingsType"`
	Locations    []int64 `json:"locations"`
}

func (s *Server) routeStorage() {
	s.route("POST /repo/v1/storageLocation", "modify", s.createLocation)
	s.route("GET /repo/v1/storageLocation/{id}", "view", func(c *call) (int, any, error) {
		id, _ := strconv.ParseInt(c.PathValue("id"), 10, 64)
		at := s.locations[id]
		switch {
		case at == nil:
			return 0, nil, missing("Storage location not found")
		case at.owner != c.user.ID:
			return 0, nil, forbidden("Only the creator can access storage location settings")
		}
		return http.StatusOK, at, nil
	})
	s.route("POST /repo/v1/projectSettings", "modify", func(c *call) (int, any, error) {
		wanted, err := s.legalSetting(c)
		if err != nil {
			return 0, nil, err
		}
		if s.settings[wanted.ProjectID] != nil {
			return 0, nil, bad("A project setting of type 'upload' for project " + wanted.ProjectID + " already exists.")
		}
		return http.StatusCreated, s.set(wanted), nil
	})
	s.route("PUT /repo/v1/projectSettings", "modify", func(c *call) (int, any, error) {
		wanted, err := s.legalSetting(c)
		known := s.settings[wanted.ProjectID]
		switch {
		case err != nil:
			return 0, nil, err
		case known == nil || known.ID != wanted.ID:
			return 0, nil, missing("The resource you are attempting to access cannot be found")
		case known.Etag != wanted.Etag:
			return 0, nil, stale("Project setting")
		}
		return http.StatusOK, s.set(wanted), nil
	})
	s.route("GET /repo/v1/projectSettings/{id}/type/upload", "view", func(c *call) (int, any, error) {
		e, err := s.find(c, c.PathValue("id"), "READ")
		if err != nil {
			return 0, nil, err
		}
		for ; e != nil; e = s.entities[e.ParentID] { // the nearest one up the tree
			if found := s.settings[e.ID]; found != nil {
				return http.StatusOK, found, nil
			}
		}
		return http.StatusOK, nil, nil // and no body
	})
	s.route("GET /repo/v1/entity/{id}/sts", "download", s.credentials)
}

// createLocation makes a location. The same definition of one's own bucket is
// the same location; each one in the repository's bucket is another.
func (s *Server) createLocation(c *call) (int, any, error) {
	var at location
	if err := c.decode(&at); err != nil {
		return 0, nil, err
	}
	switch at.ConcreteType {
	case externalS3:
		if at.Bucket == "" {
			return 0, nil, bad("The bucket is required.")
		}
		if err := s.owned(c, at.Bucket, at.BaseKey); err != nil {
			return 0, nil, err
		}
	case synapseS3:
		if at.BaseKey != "" {
			return 0, nil, bad("Cannot specify baseKey when creating an S3StorageLocationSetting")
		}
		if at.STSEnabled {
			at.BaseKey = strconv.FormatInt(c.user.ID, 10) + "/" + strconv.FormatInt(s.next(), 10)
		}
	default:
		return 0, nil, bad("Unsupported concreteType: " + at.ConcreteType)
	}
	at.owner, at.UploadType = c.user.ID, "S3"
	for _, known := range s.locations {
		same := *known
		same.StorageLocationID = 0
		if same == at {
			return http.StatusCreated, known, nil
		}
	}
	at.StorageLocationID = s.next()
	s.locations[at.StorageLocationID] = &at
	s.note("location", strconv.FormatInt(at.StorageLocationID, 10))
	return http.StatusCreated, &at, nil
}

// legalSetting reads a setting and says what is wrong with it.
func (s *Server) legalSetting(c *call) (setting, error) {
	var wanted setting
	if err := c.decode(&wanted); err != nil {
		return wanted, err
	}
	if wanted.ConcreteType != uploadsList || wanted.SettingsType != "upload" {
		return wanted, bad("Unsupported project setting")
	}
	e, err := s.find(c, wanted.ProjectID, "CHANGE_SETTINGS")
	if err != nil {
		return wanted, err
	}
	if len(wanted.Locations) < 1 || len(wanted.Locations) > 10 {
		return wanted, bad("settings must have between 1 and 10 locations.")
	}
	for _, id := range wanted.Locations {
		at := s.locations[id]
		switch {
		case at == nil && id != ownStorage:
			return wanted, missing("Storage location not found: " + strconv.FormatInt(id, 10))
		case at == nil || !at.STSEnabled:
		case len(wanted.Locations) > 1:
			return wanted, bad("An STS-enabled folder cannot add other upload destinations")
		case e.ConcreteType != folderType:
			return wanted, bad("Can only enable STS on a folder")
		case s.count(e.ID) > 0:
			return wanted, bad("Can't enable STS in a non-empty folder")
		}
	}
	return wanted, nil
}

func (s *Server) set(wanted setting) *setting {
	if wanted.ID == "" {
		wanted.ID = strconv.FormatInt(s.next(), 10)
	}
	wanted.Etag = s.etag()
	s.settings[wanted.ProjectID] = &wanted
	s.note("setting", wanted.ProjectID)
	return &wanted
}

// locationOf gives where what is uploaded to an entity goes; nil: the
// repository's own storage.
func (s *Server) locationOf(id string) *location {
	for e := s.entities[id]; e != nil; e = s.entities[e.ParentID] {
		if found := s.settings[e.ID]; found != nil {
			return s.locations[found.Locations[0]]
		}
	}
	return nil
}

// credentials gives temporary ones for the storage of a folder.
func (s *Server) credentials(c *call) (int, any, error) {
	e, err := s.find(c, c.PathValue("id"), "DOWNLOAD")
	if err != nil {
		return 0, nil, err
	}
	at := s.locationOf(e.ID)
	if at == nil || !at.STSEnabled {
		return 0, nil, bad("Entity must have an STS-enabled storage location")
	}
	permission := c.URL.Query().Get("permission")
	switch permission {
	case "read_only":
	case "read_write":
		if at.ConcreteType != externalS3 {
			return 0, nil, bad("STS write access is not allowed in Synapse storage")
		}
		for _, right := range []string{"UPDATE", "CREATE", "DELETE"} {
			if !s.may(c.user, e, right) {
				return 0, nil, forbidden("You do not have " + right + " permission for the requested entity, " + e.ID + ".")
			}
		}
	default:
		return 0, nil, bad("No enum constant StsPermission." + permission)
	}
	return http.StatusOK, s.lend(at, permission), nil
}
