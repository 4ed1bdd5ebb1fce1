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

// The rules here are: path, size and md5 are always the service's, whatever an
// app calls its metadata; no two columns differ only in case, because many
// readers fold it; no metadata, however much, keeps a view from being written.

// maxAnnotations is how many annotations become columns. Beyond it those that
// the fewest files have are left out; each record's annotations have them all.
const maxAnnotations = 10_000

const (
	healthCode         = "healthCode"
	participantVersion = "participantVersion"
)

// FileView gives one row for each file, sorted by path: path, size, md5, then
// every annotation that any file has, sorted. An annotation of the name of one
// of those three, in any case, is called annotation.path and so on.
// participantVersion is a number, missing where a file's is none.
func FileView(files []core.FileViewRow) Table {
	table := Table{Columns: []Column{
		{Name: "path", Kind: Text},
		{Name: "size", Kind: Number},
		{Name: "md5", Kind: Text},
	}}
	keys := annotations(files)
	names := names{}
	for _, column := range table.Columns {
		names.take(column.Name, "")
	}
	for _, key := range keys {
		column := Column{Name: names.take(key, "annotation."), Kind: Text, Optional: true}
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

// names holds the columns' names so far, in lower case.
type names map[string]bool

// take gives name, with prefix before it as often as it takes to be free.
func (n names) take(name, prefix string) string {
	for n[strings.ToLower(name)] {
		name = cmp.Or(prefix, "_") + name
	}
	n[strings.ToLower(name)] = true
	return name
}

// WriteFileView writes the file view of some files as Parquet. Errors are
// those of w.
func WriteFileView(w io.Writer, files []core.FileViewRow) error {
	return FileView(files).WriteParquet(w)
}
