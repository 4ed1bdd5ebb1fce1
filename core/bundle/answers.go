package bundle

import (
	"encoding/json"
	"maps"
	"slices"

	"footbridge/core/schema"
)

// The rules here are: each file of a v1_legacy survey is the answer to one
// question; its type says under which key the answer is; the answer stays exactly
// as it was given. A file that is none of that is left out, and said so.

// answerKeys are where the answer is, by the type of the question. The
// documentation and the apps differ on one of them.
var answerKeys = map[string][]string{
	"Boolean":        {"booleanAnswer"},
	"Date":           {"dateAnswer"},
	"DateAndTime":    {"dateAnswer"},
	"Decimal":        {"numericAnswer"},
	"Integer":        {"numericAnswer"},
	"MultipleChoice": {"choiceAnswers"},
	"None":           {"scaleAnswer"},
	"Scale":          {"scaleAnswer"},
	"SingleChoice":   {"choiceAnswers"},
	"Text":           {"textAnswer"},
	"TimeInterval":   {"intervalAnswer", "IntervalAnswer"},
	"TimeOfDay":      {"dateComponentsAnswer"},
}

// answers gives the answers by question, units beside them, and all of them as
// one value.
func (b *reading) answers() map[string]found {
	all := map[string]found{}
	for _, f := range b.files {
		if f.given == metadataFile {
			continue
		}
		name, answer, unit := b.answer(f)
		b.add(all, name, answer)
		b.add(all, name+"_unit", unit)
	}
	all[schema.AnswersField] = found{raw: together(all)}
	return all
}

// add adds an answer; of two to one question the later counts.
func (b *reading) add(all map[string]found, name string, answer found) {
	if null(answer.raw) {
		return
	}
	if before, twice := all[name]; twice {
		b.say("answer_twice", "Files %s and %s both answer %s: the later is used.", shown(before.file.given), shown(answer.file.given), shown(name))
	}
	all[name] = answer
}

// together writes all answers as one object, by name.
func together(all map[string]found) json.RawMessage {
	object := json.RawMessage("{")
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if i > 0 {
			object = append(object, ',')
		}
		object = append(append(append(object, quoted(name)...), ':'), all[name].raw...)
	}
	return append(object, '}')
}

// answer reads the file of one answer.
func (b *reading) answer(f *file) (name string, answer, unit found) {
	if f.digest.Size > answerMax {
		b.say("answer_too_large", "File %s has more than %d bytes, so it is left out of the answers.", shown(f.given), answerMax)
		return
	}
	document, ok := object(f.text)
	if !ok {
		b.say("answer_unreadable", "File %s is no JSON object, so it is left out of the answers.", shown(f.given))
		return
	}
	said := info(document)
	if name = said.text("item"); name == "" {
		b.say("answer_unnamed", "File %s does not say which question it answers (item), so it is left out of the answers.", shown(f.given))
		return
	}
	kind := said.text("questionTypeName")
	if kind == "" {
		kind = said.text("questionType")
	}
	keys, known := answerKeys[kind]
	switch {
	case kind == "":
		b.say("answer_untyped", "File %s has no question type, so it is left out of the answers.", shown(f.given))
		return
	case !known:
		b.say("answer_type_unknown", "File %s has the unknown question type %s, so it is left out of the answers.", shown(f.given), shown(kind))
		return
	}
	for _, key := range keys {
		if answer = f.member(key); !null(answer.raw) {
			break
		}
	}
	return name, answer, f.member("unit")
}

// member finds a member of the object that a small file is.
func (f *file) member(key string) (last found) {
	document, _ := valid(f.text)
	members(document, func(name string, value json.RawMessage, at int) {
		if name == key {
			last = found{value, f, leading(f.text) + at}
		}
	})
	return last
}
