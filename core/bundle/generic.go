package bundle

import (
	"encoding/json"

	"footbridge/core/schema"
)

// The rules here are those of v2_generic: members of the data file are fields by
// their own names, everything else is found as in v1_legacy, and a survey's
// answers are the data file.

// readGeneric takes the fields of a v2_generic bundle.
func (b *reading) readGeneric(s schema.Schema) error {
	data := b.dataFile()
	b.want(s)
	if err := b.look(data); err != nil {
		return err
	}
	var document json.RawMessage
	if data != nil {
		var ok bool
		if document, ok = valid(data.text); !ok {
			b.refuse("data_file_not_json", "The data file %s is not JSON. The file is kept.", shown(data.given))
			return nil
		}
	}
	values := map[string]found{}
	given := map[string]bool{} // by that very name
	members(document, func(key string, value json.RawMessage, at int) {
		if name := schema.Sanitize(key); key == name || !given[name] {
			values[name], given[name] = found{value, data, leading(data.text) + at}, key == name
		}
	})
	for _, f := range s.Fields {
		value, there := values[f.Name]
		var whole *file
		if !there {
			value, whole = b.find(f)
		}
		if f.Name == schema.AnswersField && null(value.raw) && whole == nil && data != nil {
			value = found{document, data, leading(data.text)}
		}
		b.put(f, value, whole)
	}
	return nil
}

// dataFile finds the data file; nil where there is none that can be read.
func (b *reading) dataFile() *file {
	name := b.info.text("dataFilename")
	if name == "" {
		return nil
	}
	for _, f := range b.files {
		switch {
		case f.given != name:
		case f.digest.Size == 0:
			b.say("data_file_empty", "The data file %s is empty.", shown(name))
			return nil
		case f.digest.Size > dataMax:
			b.say("data_file_too_large", "The data file %s has more than %d bytes, so its keys are no fields by themselves.", shown(name), dataMax)
			return nil
		default:
			return f
		}
	}
	b.say("data_file_missing", "info.json names the data file %s, which is not in the bundle.", shown(name))
	return nil
}

// dateGeneric takes the date of a v2_generic bundle.
func (b *reading) dateGeneric() {
	if at, ok := b.createdOn(); ok {
		b.date(at)
		return
	}
	b.say("created_on_missing", "The bundle does not say when it was recorded (createdOn in info.json): the time of the upload is taken.")
}
