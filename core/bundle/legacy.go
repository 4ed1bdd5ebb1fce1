package bundle

import (
	"encoding/json"
	"regexp"
	"time"

	"footbridge/core/schema"
)

// The rules here are those of v1_legacy: info.json lists the files and when each
// was written, names may have timestamps in them that fields do not have, and
// dates may come as times.

// checkFileList holds info.json's list against the bundle, and takes the date:
// info.json's own, else the latest of the files'.
func (b *reading) checkFileList() {
	var latest time.Time
	for _, listed := range b.fileList() {
		if at := b.checkListed(listed); at.After(latest) {
			latest = at
		}
	}
	if at, ok := b.createdOn(); ok {
		b.date(at)
	} else if !latest.IsZero() {
		b.date(latest)
	} else {
		b.say("created_on_missing", "info.json has no timestamps: the time of the upload is taken.")
	}
}

// fileList gives the files that info.json lists.
func (b *reading) fileList() []info {
	raw, ok := b.info["files"]
	if !ok {
		b.say("file_list_missing", "info.json does not contain a list of files.")
		return nil
	}
	var elements []json.RawMessage
	if json.Unmarshal(raw, &elements) != nil || len(elements) == 0 {
		b.say("file_list_empty", "info.json contains an empty list of files.")
		return nil
	}
	list := make([]info, len(elements))
	for i, element := range elements {
		list[i], _ = object(element) // what is no object has neither name nor time
	}
	return list
}

// checkListed checks one file of the list, and gives when it was written; zero
// where it does not say.
func (b *reading) checkListed(listed info) time.Time {
	name := listed.text("filename")
	if name == "" {
		b.say("file_unnamed", "info.json lists a file without a name.")
	} else if !b.holds(name) {
		b.say("file_missing", "info.json lists file %s, which is not in the bundle.", shown(name))
	}
	stamp := listed.text("timestamp")
	if stamp == "" && name == "" {
		return time.Time{} // there is nothing to call it by
	}
	if stamp == "" {
		b.say("file_undated", "info.json lists file %s without a timestamp.", shown(name))
		return time.Time{}
	}
	at, err := schema.Moment(stamp)
	if err != nil {
		b.say("timestamp_invalid", "info.json: the timestamp of file %s is %s.", shown(name), err)
	}
	return at
}

// holds reports whether the bundle has a file of that name.
func (b *reading) holds(name string) bool {
	for _, f := range b.files {
		if f.given == name {
			return true
		}
	}
	return name == infoFile
}

// stamped is a timestamp in the name of a file.
var stamped = regexp.MustCompile(`-[0-9]{8,}`)

func (b *reading) dropTimestamps() {
	for _, f := range b.files {
		f.name = stamped.ReplaceAllLiteralString(f.name, "")
	}
}

// readLegacy takes the fields of a v1_legacy bundle.
func (b *reading) readLegacy(s schema.Schema) error {
	var answers map[string]found
	if s.Kind == schema.Answers {
		answers = b.answers()
	}
	b.want(s)
	if err := b.look(nil); err != nil {
		return err
	}
	for _, f := range s.Fields {
		value, there := answers[f.Name]
		var whole *file
		if !there {
			value, whole = b.find(f)
		}
		if f.Type == schema.CalendarDate && whole == nil && !null(value.raw) {
			if value.raw, there = onlyDate(value.raw); !there {
				b.say("date_invalid", "Field %s is no date, so it is left out of the record.", f.Name)
				continue
			}
		}
		b.put(f, value, whole)
	}
	return nil
}

// onlyDate takes the date of a value that may be a time.
func onlyDate(value json.RawMessage) (json.RawMessage, bool) {
	if value[0] != '"' {
		return nil, false
	}
	at, ok := schema.Date(unquoted(value))
	return quoted(at.Format(time.DateOnly)), ok
}
