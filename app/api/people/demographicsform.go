package people

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"footbridge/core"
)

// The rules here are: values that are not strings become strings, as metadata does;
// null is dropped; an object of value and invalidity is one value, so that what was
// answered may be sent back; any other object gives key=value for each of its keys.

// demographicsRequest is a DemographicUser as callers say it.
type demographicsRequest struct {
	Demographics map[string]*demographicRequest `json:"demographics"`
}

// demographicRequest is a Demographic as callers say it.
type demographicRequest struct {
	Multiple *bool             `json:"multipleSelect"` // left out: true
	Values   []json.RawMessage `json:"values"`
	Units    string            `json:"units"`
}

// demographics reads the values. Errors: *core.Invalid.
func (q demographicsRequest) demographics() (core.Demographics, error) {
	invalid := &core.Invalid{Entity: "DemographicUser"}
	if q.Demographics == nil {
		invalid.Complain("demographics", "is required")
	}
	all := core.Demographics{}
	for category, asked := range q.Demographics {
		field := "demographics[" + category + "]"
		switch {
		case asked == nil:
			invalid.Complain(field, "cannot be null")
			continue
		case asked.Values == nil:
			invalid.Complain(field+".values", "is required")
			continue
		}
		d := core.Demographic{Multiple: asked.Multiple == nil || *asked.Multiple, Units: asked.Units}
		for _, raw := range asked.Values {
			values, ok := readValues(raw)
			if !ok {
				invalid.Complain(field+".values", "must each be a string, a number, true, false or an object of these")
				break
			}
			d.Values = append(d.Values, values...)
		}
		all[category] = d
	}
	return all, invalid.Err()
}

// readValues reads what stands for one value, or for several.
func readValues(raw json.RawMessage) (values []core.DemographicValue, ok bool) {
	if text, isScalar := scalar(raw); isScalar {
		return one(text, nil), true
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil || object == nil {
		return nil, false
	}
	if raw, isValue := object["value"]; isValue {
		text, ok := scalar(raw)
		why, hasWords := scalar(object["invalidity"])
		return one(text, why), ok && hasWords
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		text, ok := scalar(object[key])
		if !ok {
			return nil, false
		}
		if text != nil {
			values = append(values, core.DemographicValue{Value: key + "=" + *text})
		}
	}
	return values, true
}

// one gives a value, none where it is null.
func one(text, invalidity *string) []core.DemographicValue {
	if text == nil {
		return nil
	}
	v := core.DemographicValue{Value: *text}
	if invalidity != nil {
		v.Invalidity = *invalidity
	}
	return []core.DemographicValue{v}
}

// scalar reads a string, a number or a boolean as text; nil where it is null or not
// there. ok is false for anything else.
func scalar(raw json.RawMessage) (text *string, ok bool) {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return nil, true
	case raw[0] == '[' || raw[0] == '{':
		return nil, false
	}
	plain := string(raw)
	if raw[0] == '"' && json.Unmarshal(raw, &plain) != nil {
		return nil, false
	}
	return &plain, true
}
