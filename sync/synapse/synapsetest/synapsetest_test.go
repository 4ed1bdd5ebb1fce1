package synapsetest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"footbridge/sync/synapse/synapsetest"
)

// ask makes one call and gives the status and the fields of the answer; an answer
// that is no JSON object has none.
func ask(t *testing.T, s *synapsetest.Server, token, method, path, body string) (int, map[string]any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	var fields map[string]any
	_ = json.Unmarshal(text, &fields)
	return answer.StatusCode, fields
}

// made makes something and gives its id.
func made(t *testing.T, s *synapsetest.Server, path, body string) string {
	t.Helper()
	status, fields := ask(t, s, synapsetest.Token, "POST", path, body)
	if status != http.StatusCreated && status != http.StatusOK {
		t.Fatalf("POST %s: %d %v", path, status, fields)
	}
	if entity, ok := fields["entity"].(map[string]any); ok {
		fields = entity
	}
	id, _ := fields["id"].(string)
	return id
}

const (
	project = `{"concreteType":"org.sagebionetworks.repo.model.Project","name":"Sleep"}`
	folder  = `{"concreteType":"org.sagebionetworks.repo.model.Folder","name":"NAME","parentId":"PARENT"}`
	object  = `{"concreteType":"org.sagebionetworks.repo.model.file.S3FileHandle","bucketName":"b","key":"app/k","fileName":"n",` +
		`"contentMd5":"0cc175b9c0f1b6a831c399e269772661","storageLocationId":LOCATION}`
)

// What the repository refuses is refused, with its status.
func TestRules(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{Children: 3})
	stranger := "pat-of-a-stranger"
	s.AddUser(synapsetest.User{Name: "stranger", Token: stranger, Certified: true})
	s.AddUser(synapsetest.User{Name: "reader", Token: "pat-of-a-reader", Scopes: []string{"view"}})
	syn := made(t, s, "/repo/v1/entity", project)
	within := func(name string) string {
		return strings.NewReplacer("NAME", name, "PARENT", syn).Replace(folder)
	}
	made(t, s, "/repo/v1/entity", within("one"))
	long := strings.Repeat("x", 501)
	bundle := func(annotations string) string {
		return `{"entity":` + within("two") + `,"annotations":{"annotations":` + annotations + `}}`
	}
	for _, test := range []struct {
		name, token, method, path, body string
		status                          int
	}{
		{"no token", "", "GET", "/repo/v1/userProfile", "", 401},
		{"a wrong token", "wrong", "GET", "/repo/v1/userProfile", "", 401},
		{"a token without the scope", "pat-of-a-reader", "POST", "/repo/v1/entity", project, 403},
		{"the status needs none", "", "GET", "/repo/v1/status", "", 200},
		{"the version neither", "", "GET", "/repo/v1/version", "", 200},
		{"a name that is taken", synapsetest.Token, "POST", "/repo/v1/entity", within("one"), 409},
		{"a project's name that is taken", stranger, "POST", "/repo/v1/entity", project, 409},
		{"a name of other characters", synapsetest.Token, "POST", "/repo/v1/entity", within("a#b"), 400},
		{"a name that is too long", synapsetest.Token, "POST", "/repo/v1/entity", within(strings.Repeat("n", 257)), 400},
		{"a parent that is not there", synapsetest.Token, "POST", "/repo/v1/entity", strings.ReplaceAll(within("x"), syn, "syn1"), 404},
		{"a stranger's project", stranger, "POST", "/repo/v1/entity", within("x"), 403},
		{"a field of another's", synapsetest.Token, "POST", "/repo/v1/entity", `{"nmae":"x"}`, 400},
		{"a child of that name", synapsetest.Token, "POST", "/repo/v1/entity/child", `{"parentId":"` + syn + `","entityName":"one"}`, 200},
		{"no child of that name", synapsetest.Token, "POST", "/repo/v1/entity/child", `{"parentId":"` + syn + `","entityName":"two"}`, 404},
		{"an annotation that is too long", synapsetest.Token, "POST", "/repo/v1/entity/bundle2/create", bundle(`{"a":{"type":"STRING","value":["` + long + `"]}}`), 400},
		{"an annotation of a wrong name", synapsetest.Token, "POST", "/repo/v1/entity/bundle2/create", bundle(`{"a-b":{"type":"STRING","value":["x"]}}`), 400},
		{"an annotation that is no number", synapsetest.Token, "POST", "/repo/v1/entity/bundle2/create", bundle(`{"a":{"type":"LONG","value":["x"]}}`), 400},
		{"an annotation without a value", synapsetest.Token, "POST", "/repo/v1/entity/bundle2/create", bundle(`{"a":{"type":"STRING","value":null}}`), 400},
		{"an old etag", synapsetest.Token, "PUT", "/repo/v1/entity/" + syn + "/annotations2", `{"id":"` + syn + `","etag":"old","annotations":{}}`, 412},
		{"a list that locks oneself out", synapsetest.Token, "PUT", "/repo/v1/entity/" + syn + "/acl", `{"id":"` + syn + `","resourceAccess":[]}`, 400},
		{"permissions of one that inherits", synapsetest.Token, "GET", "/repo/v1/entity/" + s.Children(syn)["one"] + "/acl", "", 404},
		{"direct access where there is none", synapsetest.Token, "GET", "/repo/v1/entity/" + syn + "/sts?permission=read_only", "", 400},
		{"a column of an unknown type", synapsetest.Token, "POST", "/repo/v1/column/batch", `{"list":[{"name":"a","columnType":"TEXT"}]}`, 400},
		{"an upload of small parts", synapsetest.Token, "POST", "/file/v1/file/multipart", `{"concreteType":"org.sagebionetworks.repo.model.file.MultipartUploadRequest","fileName":"n","fileSizeBytes":1,"partSizeBytes":1,"contentMD5Hex":"0cc175b9c0f1b6a831c399e269772661"}`, 400},
		{"a job that nobody began", synapsetest.Token, "GET", "/repo/v1/entity/" + syn + "/table/append/async/get/1", "", 404},
		{"a body of over 2 MiB", synapsetest.Token, "POST", "/repo/v1/entity", strings.Repeat(" ", 2<<20+1), 413},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, fields := ask(t, s, test.token, test.method, test.path, test.body)
			if status != test.status {
				t.Fatalf("answered %d %v, want %d", status, fields, test.status)
			}
			if reason, _ := fields["reason"].(string); status >= 400 && reason == "" {
				t.Error("no reason was given")
			}
		})
	}
	for _, name := range []string{"two", "three"} {
		made(t, s, "/repo/v1/entity", within(name))
	}
	if status, _ := ask(t, s, synapsetest.Token, "POST", "/repo/v1/entity", within("four")); status != 400 {
		t.Errorf("a full container answered %d, want 400", status)
	}
	want := []synapsetest.Effect{{Kind: "project", ID: syn}}
	for _, name := range []string{"one", "two", "three"} {
		want = append(want, synapsetest.Effect{Kind: "folder", ID: s.Children(syn)[name]})
	}
	if diff := cmp.Diff(want, s.Effects()); diff != "" {
		t.Errorf("what was refused had an effect (-want +got):\n%s", diff)
	}
}

// A folder with direct access takes files of its own storage only, and only from
// certified users who made the location.
func TestStorageRules(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	syn := made(t, s, "/repo/v1/entity", project)
	raw := made(t, s, "/repo/v1/entity", strings.NewReplacer("NAME", "Raw", "PARENT", syn).Replace(folder))
	s.PutObject("b", "app/owner.txt", []byte("exporter"))
	_, at := ask(t, s, synapsetest.Token, "POST", "/repo/v1/storageLocation",
		`{"concreteType":"org.sagebionetworks.repo.model.project.ExternalS3StorageLocationSetting","bucket":"b","baseKey":"app","stsEnabled":true}`)
	number, _ := json.Marshal(at["storageLocationId"])
	mine := strings.ReplaceAll(object, "LOCATION", string(number))
	setting := func(entity string) string {
		return `{"concreteType":"org.sagebionetworks.repo.model.project.UploadDestinationListSetting","projectId":"` + entity +
			`","settingsType":"upload","locations":[` + string(number) + `]}`
	}
	expect := func(what, method, path, body string, want int) {
		t.Helper()
		if status, fields := ask(t, s, synapsetest.Token, method, path, body); status != want {
			t.Errorf("%s: answered %d %v, want %d", what, status, fields, want)
		}
	}
	expect("direct access to a project", "POST", "/repo/v1/projectSettings", setting(syn), 400)
	expect("direct access to a folder", "POST", "/repo/v1/projectSettings", setting(raw), 201)
	expect("a second setting", "POST", "/repo/v1/projectSettings", setting(raw), 400)
	expect("an object that is not there", "POST", "/file/v1/externalFileHandle/s3", mine, 400)
	s.PutObject("b", "app/k", []byte("a"))
	s.PutObject("b", "other/k", []byte("a"))
	expect("an object outside the base key", "POST", "/file/v1/externalFileHandle/s3", strings.ReplaceAll(mine, "app/k", "other/k"), 400)
	handle := made(t, s, "/file/v1/externalFileHandle/s3", mine)
	file := `{"concreteType":"org.sagebionetworks.repo.model.FileEntity","name":"f","parentId":"` + raw + `","dataFileHandleId":"` + handle + `"}`
	expect("a file elsewhere", "POST", "/repo/v1/entity", strings.ReplaceAll(file, raw, syn), 400)
	s.AddUser(synapsetest.User{Name: "exporter", Token: synapsetest.Token})
	expect("a file of one who is not certified", "POST", "/repo/v1/entity", file, 403)
	s.AddUser(synapsetest.User{Name: "exporter", Token: synapsetest.Token, Certified: true})
	expect("a file", "POST", "/repo/v1/entity", file, 201)
	expect("credentials", "GET", "/repo/v1/entity/"+raw+"/sts?permission=read_write", "", 200)
	if bare := s.Bare(); len(bare) != 1 {
		t.Errorf("%d files were noted to be without annotations, want 1", len(bare))
	}
}

// Faults happen at the call that they were made for, and at no other.
func TestFaults(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{})
	s.Inject(synapsetest.Fault{Path: "/repo/v1/userGroupHeaders/aliases", Nth: 2, DropReply: true})
	s.Inject(synapsetest.Throttled("7").At("GET", "/repo/v1/entity/*").Repeated(2))
	s.Inject(synapsetest.Fault{Method: "POST", Path: "/repo/v1/entity", Cut: true})
	statuses := func(method, path, body string, times int) (all []int) {
		for range times {
			status, _ := ask(t, s, synapsetest.Token, method, path, body)
			all = append(all, status)
		}
		return all
	}
	if diff := cmp.Diff([]int{200, 0, 200}, statuses("POST", "/repo/v1/userGroupHeaders/aliases", `{"list":[]}`, 3)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{429, 429, 404}, statuses("GET", "/repo/v1/entity/syn1", "", 3)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{0, 201, 409}, statuses("POST", "/repo/v1/entity", project, 3)); diff != "" {
		t.Error(diff)
	}
	s.Maintain("READ_ONLY", "Back at noon", 2)
	if diff := cmp.Diff([]int{503, 503, 200}, statuses("GET", "/repo/v1/userProfile", "", 3)); diff != "" {
		t.Error(diff)
	}
}

// A table's changes are all made or none, later than they are asked for, and cells
// must be what their columns take.
func TestTables(t *testing.T) {
	s := synapsetest.Start(t, synapsetest.Config{PageRows: 1})
	syn := made(t, s, "/repo/v1/entity", project)
	if status, fields := ask(t, s, synapsetest.Token, "POST", "/repo/v1/column/batch",
		`{"list":[{"name":"code","columnType":"STRING","maximumSize":3},{"name":"n","columnType":"INTEGER"},{"name":"langs","columnType":"STRING_LIST","maximumSize":2,"maximumListLength":2}]}`); status != 201 {
		t.Fatal(status, fields)
	}
	table := made(t, s, "/repo/v1/entity", `{"concreteType":"org.sagebionetworks.repo.model.table.TableEntity","name":"T","parentId":"`+syn+`","columnIds":["1","2","3"]}`)
	rows := func(cells ...string) string {
		return `{"concreteType":"org.sagebionetworks.repo.model.table.AppendableRowSetRequest","entityId":"` + table + `","toAppend":` +
			`{"concreteType":"org.sagebionetworks.repo.model.table.PartialRowSet","tableId":"` + table + `","rows":[{"values":[` + strings.Join(cells, ",") + `]}]}}`
	}
	run := func(kind, body string) (int, map[string]any) {
		t.Helper()
		at := "/repo/v1/entity/" + table + "/table/" + kind + "/async/"
		status, fields := ask(t, s, synapsetest.Token, "POST", at+"start", body)
		if status != 201 {
			t.Fatal(status, fields)
		}
		token, _ := fields["token"].(string)
		if status, fields := ask(t, s, synapsetest.Token, "GET", at+"get/"+token, ""); status != 202 {
			t.Errorf("a job that was just begun answers %d %v", status, fields)
		}
		return ask(t, s, synapsetest.Token, "GET", at+"get/"+token, "")
	}
	for cell, want := range map[string]int{
		`{"key":"1","value":"abc"}`:                 201,
		`{"key":"1","value":"abcd"}`:                400,
		`{"key":"2","value":"one"}`:                 400,
		`{"key":"3","value":"[\"en\",\"es\"]"}`:     201,
		`{"key":"3","value":"en,es"}`:               400,
		`{"key":"3","value":"[\"eng\"]"}`:           400,
		`{"key":"3","value":"[\"a\",\"b\",\"c\"]"}`: 400,
		`{"key":"9","value":"x"}`:                   400,
	} {
		if status, fields := run("append", rows(cell)); status != want {
			t.Errorf("%s: answered %d %v, want %d", cell, status, fields, want)
		}
	}
	transaction := func(changes ...string) string {
		return `{"concreteType":"org.sagebionetworks.repo.model.table.TableUpdateTransactionRequest","entityId":"` + table + `","changes":[` + strings.Join(changes, ",") + `]}`
	}
	drop := `{"concreteType":"org.sagebionetworks.repo.model.table.TableSchemaChangeRequest","entityId":"` + table + `","changes":[{"oldColumnId":"3","newColumnId":null}]}`
	if status, _ := run("transaction", transaction(rows(`{"key":"1","value":"new"}`), drop, rows(`{"key":"3","value":"[]"}`))); status != 400 {
		t.Errorf("a cell of a column that was dropped: %d", status)
	}
	if n := len(s.Rows(table)); n != 2 {
		t.Errorf("a transaction that failed left %d rows, want 2", n)
	}
	if status, fields := run("transaction", transaction(drop, rows(`{"key":"1","value":"new"}`))); status != 201 {
		t.Errorf("a transaction: %d %v", status, fields)
	}
	query := func(sql string) string {
		text, _ := json.Marshal(sql)
		return `{"concreteType":"org.sagebionetworks.repo.model.table.QueryBundleRequest","entityId":"` + table + `","partMask":3,"query":{"sql":` + string(text) + `}}`
	}
	status, fields := run("query", query(`SELECT code, "n" FROM `+table+` WHERE code IN ('abc', 'new') ORDER BY code`))
	result, _ := fields["queryResult"].(map[string]any)
	if status != 201 || fields["queryCount"] != 2.0 || result["nextPageToken"] == nil {
		t.Errorf("a query: %d %v", status, fields)
	}
	for _, sql := range []string{"SELECT langs FROM " + table, "SELECT code FROM syn1", "DROP TABLE " + table, "SELECT code FROM " + table + " WHERE code LIKE 'a'"} {
		if status, _ := run("query", query(sql)); status != 400 {
			t.Errorf("%s: %d", sql, status)
		}
	}
	if diff := cmp.Diff(3, len(s.Effects("row"))); diff != "" {
		t.Error(diff)
	}
}
