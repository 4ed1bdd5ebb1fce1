package config

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Kind is what the value of a setting looks like. Stable, for programs.
type Kind string

// The kinds.
const (
	KindText   Kind = "text"
	KindNumber Kind = "number" // whole
	KindSwitch Kind = "switch" // true or false
	KindChoice Kind = "choice"
	KindList   Kind = "list" // of texts, with commas between
)

// Description says what a setting takes. Values are written as Change takes them.
type Description struct {
	Key     string
	Kind    Kind
	Default string
	Choices []string // of a choice
	Least   *int64   // of a number; nil: any
	Most    *int64   // of a number; nil: any
	Unit    string   // of a number; empty: it has none
	Asks    bool     // what a change brings with it should be known before
}

// Describe gives every setting in the order of the file. Of a table that people fill as
// they like there are the entries that these settings have, and those that are usual.
func (s Settings) Describe() []Description {
	var all []Description
	eachField(reflect.TypeOf(s), "", func(key string, field reflect.StructField) {
		d := Description{
			Key: key, Kind: kindOf(field), Choices: words(field.Tag.Get("choices")), Unit: field.Tag.Get("unit"), Asks: field.Tag.Get("asks") == "true",
			Least: limit(field.Tag.Get("least")), Most: limit(field.Tag.Get("most")),
		}
		if field.Type.Kind() != reflect.Map {
			d.Default, _ = Default().Written(key) // it is there
			all = append(all, d)
			return
		}
		for _, entry := range s.entries(key, words(field.Tag.Get("entries"))) {
			d.Key, d.Default = key+"."+entry, "0"
			all = append(all, d)
		}
	})
	return all
}

// eachField visits the fields of settings that each visits the values of.
func eachField(t reflect.Type, table string, visit func(key string, field reflect.StructField)) {
	for i := range t.NumField() {
		field := t.Field(i)
		key := table + field.Tag.Get("toml")
		if field.Type.Kind() == reflect.Struct {
			eachField(field.Type, key+".", visit)
		} else {
			visit(key, field)
		}
	}
}

// entries are those of a table, sorted, the usual ones first.
func (s Settings) entries(table string, usual []string) []string {
	all := usual
	v, _ := s.find(table)
	var others []string
	for _, entry := range v.MapKeys() {
		if !slices.Contains(usual, entry.String()) {
			others = append(others, entry.String())
		}
	}
	slices.Sort(others)
	return append(all, others...)
}

func kindOf(field reflect.StructField) Kind {
	if field.Tag.Get("choices") != "" {
		return KindChoice
	}
	switch field.Type.Kind() {
	case reflect.Bool:
		return KindSwitch
	case reflect.Slice:
		return KindList
	case reflect.String:
		return KindText
	}
	return KindNumber
}

// words are those of a tag, with commas between.
func words(tag string) []string {
	if tag == "" {
		return nil
	}
	return strings.Split(tag, ",")
}

// limit reads one from a tag; the tests read them all.
func limit(tag string) *int64 {
	n, err := strconv.ParseInt(tag, 10, 64)
	if err != nil {
		return nil
	}
	return &n
}

// Written gives one setting as Change takes it; an entry of a table that is not there is 0.
// Errors: *UnknownError.
func (s Settings) Written(key string) (string, error) {
	v, entry := s.find(key)
	if !v.IsValid() || v.Kind() == reflect.Map && entry == "" {
		return "", unknown(s, key)
	}
	if entry != "" {
		if v = v.MapIndex(reflect.ValueOf(entry)); !v.IsValid() {
			return "0", nil
		}
	}
	if all, ok := v.Interface().([]string); ok {
		return strings.Join(all, ", "), nil
	}
	return fmt.Sprint(v.Interface()), nil
}
