package bundle

import (
	"encoding/json"
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
func (b *reading) answers() map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	var order []string
	add := func(name string, value json.RawMessage) {
		if null(value) {
			return
		}
		if _, twice := all[name]; !twice {
			order = append(order, name)
		}
		all[name] = value
	}
	for _, f := range b.files {
		if f.given == metadataFile {
			continue
		}
		name, answer, unit := b.answer(f)
		add(name, answer)
		add(name+"_unit", unit)
	}
	slices.Sort(order)
	together := json.RawMessage("{")
	for i, name := range order {
		if i > 0 {
			together = append(together, ',')
		}
		together = append(append(append(together, quoted(name)...), ':'), all[name]...)
	}
	all[schema.AnswersField] = append(together, '}')
	return all
}

// answer reads the file of one answer.
func (b *reading) answer(f *file) (name string, answer, unit json.RawMessage) {
	if f.size > answerMax {
		b.say("answer_too_large", "File %s has more than %d bytes, so it is left out of the answers.", shown(f.given), answerMax)
		return "", nil, nil
	}
	document, ok := object(f.text)
	if !ok {
		b.say("answer_unreadable", "File %s is no JSON object, so it is left out of the answers.", shown(f.given))
		return "", nil, nil
	}
	said := info(document)
	if name = said.text("item"); name == "" {
		b.say("answer_unnamed", "File %s does not say which question it answers (item), so it is left out of the answers.", shown(f.given))
		return "", nil, nil
	}
	kind := said.text("questionTypeName")
	if kind == "" {
		kind = said.text("questionType")
	}
	keys, known := answerKeys[kind]
	switch {
	case kind == "":
		b.say("answer_untyped", "File %s has no question type, so it is left out of the answers.", shown(f.given))
		return "", nil, nil
	case !known:
		b.say("answer_type_unknown", "File %s has the unknown question type %s, so it is left out of the answers.", shown(f.given), shown(kind))
		return "", nil, nil
	}
	for _, key := range keys {
		if answer = document[key]; !null(answer) {
			break
		}
	}
	return name, answer, document["unit"]
}
