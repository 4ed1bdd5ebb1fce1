package table

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"footbridge/core"
)

// The rules here are: the service's own columns keep their names, whatever an
// app calls its metadata; no two columns differ only in case, because many
// readers fold it; no metadata, however much, keeps a view from being written.

// maxAnnotations is how many annotations become columns. Beyond it those that
// the fewest files have are left out; each record's annotations have them all.
const maxAnnotations = 10_000

const (
	healthCode         = "healthCode"
	participantVersion = "participantVersion"
)

// fileColumns are those of the file itself.
var fileColumns = []Column{
	{Name: "path", Kind: Text},
	{Name: "size", Kind: Number},
	{Name: "md5", Kind: Text},
}

// FileView gives one row for each file, sorted by path: path, size, md5, then
// every annotation that any file has, sorted by its key. An annotation whose
// key is one of those three, in any case, is in the column annotation.path and
// so on, with the key as it is written. participantVersion is a number, missing
// where a file's is none.
func FileView(files []core.FileViewRow) Table { return fileView(files, fileColumns) }

// fileView gives the file view beside columns whose names no annotation gets.
func fileView(files []core.FileViewRow, kept []Column) Table {
	table := Table{Columns: slices.Clone(fileColumns)}
	keys := annotations(files)
	names := name(keys, kept)
	for _, key := range keys {
		column := Column{Name: names[key], Kind: Text, Optional: true}
		if key == participantVersion {
			column.Kind = Number
		}
		table.Columns = append(table.Columns, column)
	}
	for _, file := range byPath(files) {
		row := []any{file.Path, file.Size, file.MD5}
		for _, key := range keys {
			row = append(row, annotation(file, key))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// byPath gives the files in the order of the view.
func byPath(files []core.FileViewRow) []core.FileViewRow {
	return slices.SortedStableFunc(slices.Values(files), func(a, b core.FileViewRow) int {
		return cmp.Compare(a.Path, b.Path)
	})
}

// annotation gives one annotation of a file as a cell.
func annotation(file core.FileViewRow, key string) any {
	text, ok := file.Annotations[key]
	if !ok {
		return nil
	}
	if key != participantVersion {
		return text
	}
	if version, ok := version(file); ok {
		return version
	}
	return nil
}

// version gives the participant version that a file was submitted under.
func version(file core.FileViewRow) (int64, bool) {
	version, err := strconv.ParseInt(file.Annotations[participantVersion], 10, 64)
	return version, err == nil
}

// annotations gives the keys of all files that become columns, sorted.
func annotations(files []core.FileViewRow) []string {
	count := map[string]int{}
	for _, file := range files {
		for key := range file.Annotations {
			count[key]++
		}
	}
	keys := slices.Sorted(maps.Keys(count))
	if len(keys) > maxAnnotations {
		slices.SortStableFunc(keys, func(a, b string) int { return count[b] - count[a] })
		keys = keys[:maxAnnotations]
		slices.Sort(keys)
	}
	return keys
}

// name gives the column of each annotation: its key, with annotation. before it
// as often as it takes to be free. Those that have a kept column's very name
// choose first, then those that have it in another case, then the others in the
// order of keys.
func name(keys []string, kept []Column) map[string]string {
	taken, exact := map[string]bool{}, map[string]bool{}
	for _, column := range kept {
		taken[strings.ToLower(column.Name)], exact[column.Name] = true, true
	}
	rank := make(map[string]int, len(keys))
	for _, key := range keys {
		switch {
		case exact[key]:
			rank[key] = 0
		case taken[strings.ToLower(key)]:
			rank[key] = 1
		default:
			rank[key] = 2
		}
	}
	names := make(map[string]string, len(keys))
	for _, key := range slices.SortedStableFunc(slices.Values(keys), func(a, b string) int { return rank[a] - rank[b] }) {
		name := key
		for taken[strings.ToLower(name)] {
			name = "annotation." + name
		}
		taken[strings.ToLower(name)] = true
		names[key] = name
	}
	return names
}

// WriteFileView writes the file view of some files as Parquet. Errors are
// those of w.
func WriteFileView(w io.Writer, files []core.FileViewRow) error {
	return FileView(files).WriteParquet(w)
}
