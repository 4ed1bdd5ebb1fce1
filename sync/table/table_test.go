package table_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"footbridge/core"
	"footbridge/sync/table"
)

var (
	created  = time.Date(2026, 11, 1, 9, 30, 0, 250e6, time.FixedZone("", -8*3600))
	modified = created.Add(36 * time.Hour)
)

func people() []core.ParticipantVersion {
	return []core.ParticipantVersion{
		{HealthCode: "bbb", Version: 1, CreatedOn: created, ModifiedOn: created, SharingScope: core.SponsorsAndPartners},
		{HealthCode: "aaa", Version: 10, CreatedOn: created, ModifiedOn: modified, SharingScope: core.AllQualifiedResearchers,
			DataGroups: []string{"test_user", "control"}, Languages: []string{"fr", "en"}, ClientTimeZone: "America/Los_Angeles",
			StudyMemberships: map[core.StudyID]string{"study-b": "", "study-a": `ext "1", é`}},
		{HealthCode: "aaa", Version: 2, CreatedOn: created, ModifiedOn: created, SharingScope: core.SponsorsAndPartners,
			StudyMemberships: map[core.StudyID]string{"study-b": "7"}},
	}
}

func files() []core.FileViewRow {
	return []core.FileViewRow{
		{Path: "raw-data/2026-11-20/2-b.zip", Size: 7, MD5: "22", Annotations: map[string]string{
			"healthCode": "bbb", "participantVersion": "5", "path": "the app's", "PATH": "in capitals", "createdOn": "the app's"}},
		{Path: "raw-data/2026-11-20/1-a.zip", Size: 5 << 30, MD5: "11", Annotations: map[string]string{
			"healthCode": "aaa", "participantVersion": "2", "note": "a,\"b\"\r\n<c>", "empty": ""}},
		{Path: "raw-data/2026-11-20/3-c.zip", Annotations: map[string]string{"healthCode": "ccc"}},
	}
}

func TestVersionsCSV(t *testing.T) {
	var got bytes.Buffer
	if err := table.WriteVersionsCSV(&got, people(), ""); err != nil {
		t.Fatal(err)
	}
	want := `healthCode,participantVersion,createdOn,modifiedOn,dataGroups,languages,sharingScope,studyMemberships,clientTimeZone
aaa,2,1793554200250,1793554200250,,,SPONSORS_AND_PARTNERS,|study-b=7|,
aaa,10,1793554200250,1793683800250,"control,test_user","fr,en",ALL_QUALIFIED_RESEARCHERS,"|study-a=ext ""1"", é|study-b=|",America/Los_Angeles
bbb,1,1793554200250,1793554200250,,,SPONSORS_AND_PARTNERS,,
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

func TestOtherStudiesAreNotShown(t *testing.T) {
	var got []any
	for _, row := range table.Versions(people(), "study-a").Rows {
		got = append(got, row[7])
	}
	if diff := cmp.Diff([]any{"", `|study-a=ext "1", é|`, ""}, got); diff != "" {
		t.Error(diff)
	}
}

func TestVersionsParquet(t *testing.T) {
	var out bytes.Buffer
	if err := table.WriteVersionsParquet(&out, people(), ""); err != nil {
		t.Fatal(err)
	}
	file := open(t, out.Bytes())
	want := []string{
		"healthCode required STRING", "participantVersion required INT(64,true)",
		"createdOn required TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS)", "modifiedOn required TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS)",
		"dataGroups required STRING", "languages required STRING", "sharingScope required STRING",
		"studyMemberships required STRING", "clientTimeZone required STRING",
	}
	if diff := cmp.Diff(want, describe(file)); diff != "" {
		t.Error(diff)
	}
	agree(t, table.Versions(people(), ""))
}

func TestFileView(t *testing.T) {
	var out bytes.Buffer
	if err := table.WriteFileView(&out, files()); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"path required STRING", "size required INT(64,true)", "md5 required STRING",
		"annotation.annotation.PATH optional STRING", "createdOn optional STRING", "empty optional STRING",
		"healthCode optional STRING", "note optional STRING", "participantVersion optional INT(64,true)",
		"annotation.path optional STRING",
	}
	if diff := cmp.Diff(want, describe(open(t, out.Bytes()))); diff != "" {
		t.Error(diff)
	}
	wantRows := [][]any{
		{"raw-data/2026-11-20/1-a.zip", int64(5 << 30), "11", nil, nil, "", "aaa", "a,\"b\"\r\n<c>", int64(2), nil},
		{"raw-data/2026-11-20/2-b.zip", int64(7), "22", "in capitals", "the app's", nil, "bbb", nil, int64(5), "the app's"},
		{"raw-data/2026-11-20/3-c.zip", int64(0), "", nil, nil, nil, "ccc", nil, nil, nil},
	}
	if diff := cmp.Diff(wantRows, rows(t, out.Bytes())); diff != "" {
		t.Error(diff)
	}
	agree(t, table.FileView(files()))
}

func TestJoin(t *testing.T) {
	participant := []string{"joinedParticipantVersion", "createdOn", "modifiedOn", "dataGroups",
		"languages", "sharingScope", "studyMemberships", "clientTimeZone"}
	latest := []any{int64(10), created, modified, "control,test_user", "fr,en", "ALL_QUALIFIED_RESEARCHERS",
		`|study-a=ext "1", é|study-b=|`, "America/Los_Angeles"}
	second := []any{int64(2), created, created, "", "", "SPONSORS_AND_PARTNERS", "|study-b=7|", ""}
	first := []any{int64(1), created, created, "", "", "SPONSORS_AND_PARTNERS", "", ""}
	none := make([]any, 8)

	for how, want := range map[table.How][][]any{
		table.JoinSubmitted: {second, none, none}, // bbb never had a version 5
		table.JoinLatest:    {latest, first, none},
	} {
		t.Run(string(how), func(t *testing.T) {
			got, err := table.Join(files(), people(), how, "")
			if err != nil {
				t.Fatal(err)
			}
			view := table.FileView(files())
			width := len(view.Columns)
			for i, column := range view.Columns {
				if column.Name == "createdOn" {
					column.Name = "annotation.createdOn" // beside the participant's
				}
				if diff := cmp.Diff(column, got.Columns[i]); diff != "" {
					t.Error(diff)
				}
			}
			for i, column := range got.Columns[width:] {
				if column.Name != participant[i] || !column.Optional {
					t.Errorf("column %+v, want %s", column, participant[i])
				}
			}
			for i, row := range got.Rows {
				if diff := cmp.Diff(view.Rows[i], row[:width]); diff != "" {
					t.Error(diff)
				}
				if diff := cmp.Diff(want[i], row[width:]); diff != "" {
					t.Error(diff)
				}
			}
			agree(t, got)
		})
	}
	if _, err := table.Join(nil, nil, "sometimes", ""); err == nil {
		t.Error("a join that does not exist gave a table")
	}
}

// Whatever a device calls its metadata, a study's own columns mean what they
// meant before it came.
func TestServiceColumnsKeepTheirNames(t *testing.T) {
	own := []string{"path", "size", "md5", "joinedParticipantVersion", "createdOn", "modifiedOn", "dataGroups",
		"languages", "sharingScope", "studyMemberships", "clientTimeZone"}
	for _, spell := range []func(string) string{strings.Clone, strings.ToLower, strings.ToUpper} {
		annotations := map[string]string{"healthCode": "aaa", "participantVersion": "2"}
		for _, name := range own {
			annotations[spell(name)] = "the app's " + name
		}
		view := []core.FileViewRow{{Path: "raw-data/a", Size: 7, MD5: "11", Annotations: annotations}}
		got, err := table.Join(view, people(), table.JoinSubmitted, "")
		if err != nil {
			t.Fatal(err)
		}
		cells := map[string]any{}
		for i, column := range got.Columns {
			cells[column.Name] = got.Rows[0][i]
		}
		want := map[string]any{
			"path": "raw-data/a", "size": int64(7), "md5": "11", "healthCode": "aaa", "participantVersion": int64(2),
			"joinedParticipantVersion": int64(2), "createdOn": created, "modifiedOn": created, "dataGroups": "", "languages": "",
			"sharingScope": "SPONSORS_AND_PARTNERS", "studyMemberships": "|study-b=7|", "clientTimeZone": "",
		}
		for _, name := range own {
			want["annotation."+spell(name)] = "the app's " + name
		}
		if diff := cmp.Diff(want, cells); diff != "" {
			t.Error(diff)
		}
		agree(t, got)
	}
}

func TestNothingYet(t *testing.T) {
	got, err := table.Join(nil, people(), table.JoinLatest, "")
	if err != nil {
		t.Fatal(err)
	}
	var asCSV, asJSON bytes.Buffer
	if err := got.WriteCSV(&asCSV); err != nil {
		t.Fatal(err)
	}
	if err := got.WriteJSON(&asJSON); err != nil {
		t.Fatal(err)
	}
	header := "path,size,md5,joinedParticipantVersion,createdOn,modifiedOn,dataGroups,languages,sharingScope,studyMemberships,clientTimeZone\n"
	if asCSV.String() != header || asJSON.String() != "[]\n" {
		t.Errorf("got %q and %q", asCSV.String(), asJSON.String())
	}
	for _, empty := range []table.Table{got, table.Versions(nil, ""), table.FileView(nil)} {
		agree(t, empty)
	}
}

func TestNoAmountOfMetadataStopsTheView(t *testing.T) {
	var many []core.FileViewRow
	for i := range 40 {
		annotations := map[string]string{"healthCode": "aaa", "participantVersion": "2"}
		for j := range 1000 {
			annotations[fmt.Sprintf("key%d.%d", i, j)] = "x"
		}
		annotations["a,comma"] = "y"
		many = append(many, core.FileViewRow{Path: strconv.Itoa(i), Annotations: annotations})
	}
	var out bytes.Buffer
	if err := table.WriteFileView(&out, many); err != nil {
		t.Fatal(err)
	}
	names := strings.Join(describe(open(t, out.Bytes())), "\n")
	if !strings.Contains(names, "healthCode") || !strings.Contains(names, "participantVersion") {
		t.Error("the columns that every file has are missing")
	}
}

func TestOrderOfInputDoesNotMatter(t *testing.T) {
	write := func() string {
		f, p := files(), people()
		rand.Shuffle(len(f), func(i, j int) { f[i], f[j] = f[j], f[i] })
		rand.Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
		joined, err := table.Join(f, p, table.JoinLatest, "")
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := joined.WriteParquet(&out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	want := write()
	for range 10 {
		if write() != want {
			t.Fatal("the same rows in another order gave other bytes")
		}
	}
}

// agree holds the three formats of a table against each other and the table.
func agree(t *testing.T, from table.Table) {
	t.Helper()
	var asCSV, asJSON, asParquet bytes.Buffer
	for out, write := range map[*bytes.Buffer]func(io.Writer) error{&asCSV: from.WriteCSV, &asJSON: from.WriteJSON, &asParquet: from.WriteParquet} {
		if err := write(out); err != nil {
			t.Fatal(err)
		}
	}
	lines, err := csv.NewReader(strings.NewReader(strings.ReplaceAll(asCSV.String(), "\r\n", "\r\r\n"))).ReadAll() // which the reader undoes
	if err != nil {
		t.Fatal(err)
	}
	var objects []map[string]any
	decoder := json.NewDecoder(&asJSON)
	decoder.UseNumber()
	if err := decoder.Decode(&objects); err != nil {
		t.Fatal(err)
	}
	values := rows(t, asParquet.Bytes())
	if len(lines) != len(from.Rows)+1 || len(objects) != len(from.Rows) || len(values) != len(from.Rows) {
		t.Fatalf("%d rows: %d in CSV, %d in JSON, %d in Parquet", len(from.Rows), len(lines)-1, len(objects), len(values))
	}
	for n, row := range from.Rows {
		if len(objects[n]) != len(from.Columns) {
			t.Errorf("object has %v", maps.Keys(objects[n]))
		}
		for i, cell := range row {
			asText, asValue, inJSON := "", cell, cell
			switch cell := cell.(type) {
			case string:
				asText = cell
			case int64:
				asText, inJSON = strconv.FormatInt(cell, 10), json.Number(strconv.FormatInt(cell, 10))
			case time.Time:
				asText, asValue = strconv.FormatInt(cell.UnixMilli(), 10), cell.UnixMilli()
				inJSON = json.Number(asText)
			}
			name := from.Columns[i].Name
			if lines[0][i] != name || lines[n+1][i] != asText || !cmp.Equal(values[n][i], asValue) || !cmp.Equal(objects[n][name], inJSON) {
				t.Errorf("%s of row %d is %v: %q in CSV, %v in Parquet, %v in JSON", name, n, cell, lines[n+1][i], values[n][i], objects[n][name])
			}
		}
	}
}

func open(t *testing.T, data []byte) *parquet.File {
	t.Helper()
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// describe gives name, repetition and type of each column.
func describe(file *parquet.File) []string {
	var columns []string
	for _, field := range file.Schema().Fields() {
		repetition := "required"
		if field.Optional() {
			repetition = "optional"
		}
		columns = append(columns, field.Name()+" "+repetition+" "+field.Type().String())
	}
	return columns
}

// rows reads the cells of a Parquet file back: nil, string or int64.
func rows(t *testing.T, data []byte) [][]any {
	t.Helper()
	reader := parquet.NewReader(open(t, data))
	defer reader.Close()
	var all [][]any
	for {
		buffer := make([]parquet.Row, 1)
		n, err := reader.ReadRows(buffer)
		for _, row := range buffer[:n] {
			var cells []any
			for _, value := range row {
				switch {
				case value.IsNull():
					cells = append(cells, nil)
				case value.Kind() == parquet.Int64:
					cells = append(cells, value.Int64())
				default:
					cells = append(cells, string(value.ByteArray()))
				}
			}
			all = append(all, cells)
		}
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
