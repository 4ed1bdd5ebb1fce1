package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// The rules here are: a setting is changed in the file as it stands, so that what
// people wrote into it stays; what cannot be read afterwards is not written.

// Setting is one setting and its value, as people write them.
type Setting struct {
	Key   string `json:"key"` // with its table, as in uploads.max_size
	Value any    `json:"value"`
}

// List gives every setting in the order of the file.
func (s Settings) List() []Setting {
	var all []Setting
	each(reflect.ValueOf(s), "", func(key string, v reflect.Value) { all = append(all, Setting{key, v.Interface()}) })
	return all
}

// each visits the settings that a struct holds.
func each(v reflect.Value, table string, visit func(key string, v reflect.Value)) {
	for i := range v.NumField() {
		key := table + v.Type().Field(i).Tag.Get("toml")
		if field := v.Field(i); field.Kind() == reflect.Struct {
			each(field, key+".", visit)
		} else {
			visit(key, field)
		}
	}
}

// find gives the setting of a key, and the key itself where it is one of a table
// that people fill as they like.
func (s Settings) find(asked string) (found reflect.Value, entry string) {
	each(reflect.ValueOf(s), "", func(key string, v reflect.Value) {
		if key == asked {
			found, entry = v, ""
		} else if rest, ok := strings.CutPrefix(asked, key+"."); ok && v.Kind() == reflect.Map {
			found, entry = v, rest
		}
	})
	return found, entry
}

// Value gives one setting. Errors: *UnknownError.
func (s Settings) Value(key string) (any, error) {
	v, entry := s.find(key)
	if !v.IsValid() {
		return nil, unknown(s, key)
	}
	if entry == "" {
		return v.Interface(), nil
	}
	if v = v.MapIndex(reflect.ValueOf(entry)); !v.IsValid() {
		return nil, unknown(s, key)
	}
	return v.Interface(), nil
}

// UnknownError says that there is no such setting.
type UnknownError struct {
	Key   string
	Known []string
}

func unknown(s Settings, key string) error {
	e := &UnknownError{Key: key}
	for _, setting := range s.List() {
		e.Known = append(e.Known, setting.Key)
	}
	return e
}

// Error lists the settings that there are.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("there is no setting %q; there are %s", e.Key, strings.Join(e.Known, ", "))
}

// Change changes one setting in a home's file and leaves the rest of it as it is.
// Lists are written with commas between. Nothing is changed where there is an
// error: *UnknownError, or what is wrong with the value.
func Change(home, key, value string) error {
	path := filepath.Join(home, FileName)
	after, err := changed(path, key, value)
	if err != nil {
		return err
	}
	return replaceFile(path, after)
}

// Try tells whether Change would change a setting, and changes nothing. Errors: those
// of Change.
func Try(home, key, value string) error {
	_, err := changed(filepath.Join(home, FileName), key, value)
	return err
}

// changed gives the text of a file in which one setting is another.
func changed(path, key, value string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read settings: %w", err)
	}
	v, entry := Default().find(key)
	if !v.IsValid() || v.Kind() == reflect.Map && entry == "" {
		return "", unknown(Default(), key)
	}
	written, err := literal(key, v.Type(), value)
	if err != nil {
		return "", err
	}
	after := replace(string(text), key, entry, written)
	if _, err := parse([]byte(after)); err != nil {
		return "", fmt.Errorf("%w; the settings stay as they are", err)
	}
	return after, nil
}

// valueError says that a value is of another kind than its setting.
type valueError struct{ key, why string }

func (e *valueError) Error() string { return e.key + " " + e.why }

// WhyNot says why a setting cannot be changed, without its name where it is the one that
// was asked for; err is of Change or Try.
func WhyNot(key string, err error) string {
	var value *valueError
	var wrong *WrongError
	switch {
	case errors.As(err, &value):
		return value.why
	case errors.As(err, &wrong) && strings.TrimPrefix(wrong.Table+"."+wrong.Key, ".") == key:
		return wrong.Why
	}
	return err.Error()
}

// literal writes a value as TOML.
func literal(key string, kind reflect.Type, value string) (string, error) {
	switch kind.Kind() {
	case reflect.String:
		return quoted(value), nil
	case reflect.Bool:
		if value != "true" && value != "false" {
			return "", &valueError{key, "must be true or false"}
		}
		return value, nil
	case reflect.Slice:
		var all []string
		for part := range strings.SplitSeq(value, ",") {
			if part = strings.TrimSpace(part); part != "" {
				all = append(all, quoted(part))
			}
		}
		return "[" + strings.Join(all, ", ") + "]", nil
	}
	if _, err := strconv.ParseInt(value, 10, 64); err != nil {
		return "", &valueError{key, "must be a whole number"}
	}
	return value, nil
}

// replace sets a key in a file's text: on its line, or behind the head of its
// table, or in a new table at the end. entry is the key within its table where it
// is one of people's own.
func replace(text, key, entry, value string) string {
	table, name := "", key
	if entry != "" {
		table, name = strings.TrimSuffix(key, "."+entry), quoted(entry)
	} else if i := strings.LastIndexByte(key, '.'); i >= 0 {
		table, name = key[:i], key[i+1:]
	}
	set := name + " = " + value
	lines := strings.Split(text, "\n")
	bare := strings.Trim(name, `"`)
	if at := lineOf([]byte(text), table, bare); at > 0 {
		line := lines[at-1]
		if table != "" && !inTable(lines[:at-1], table) {
			set = table + "." + set // it is written with its table
		}
		lines[at-1] = line[:len(line)-len(strings.TrimLeft(line, " \t"))] + set + comment(line)
		return strings.Join(lines, "\n")
	}
	if table == "" {
		return set + "\n" + text
	}
	for i, line := range lines {
		if head := tableHeader.FindStringSubmatch(line); head != nil && strings.TrimSpace(head[1]) == table {
			return strings.Join(append(append(lines[:i+1:i+1], set), lines[i+1:]...), "\n")
		}
	}
	return strings.TrimRight(text, "\n") + "\n\n[" + table + "]\n" + set + "\n"
}

// inTable reports whether the last table that begins in these lines is the one.
func inTable(lines []string, table string) bool {
	last := ""
	for _, line := range lines {
		if head := tableHeader.FindStringSubmatch(line); head != nil {
			last = strings.TrimSpace(head[1])
		}
	}
	return last == table
}

// comment gives what stands behind a line's value, with the space before it.
func comment(line string) string {
	quote := byte(0)
	for i := strings.IndexByte(line, '=') + 1; i < len(line); i++ {
		switch c := line[i]; {
		case quote == '"' && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && c == '#':
			return " " + line[i:]
		}
	}
	return ""
}

// replaceFile writes a file whole or not at all.
func replaceFile(path, text string) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), "."+FileName+"-")
	if err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.WriteString(text)
	if err == nil {
		err = temporary.Sync()
	}
	if err = errors.Join(err, temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	return nil
}
