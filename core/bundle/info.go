package bundle

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"
	"time"

	"footbridge/core"
	"footbridge/core/schema"
)

// The formats of bundles.
const (
	formatLegacy  = "v1_legacy"
	formatGeneric = "v2_generic"
)

// info is what info.json says.
type info map[string]json.RawMessage

// text gives a scalar as text, "" where it is missing or blank.
func (i info) text(key string) string {
	text := asText(i[key])
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return text
}

func (i info) generic() bool { return strings.EqualFold(i.text("format"), formatGeneric) }

// readInfo reads info.json, without which nothing can be said of a bundle, and
// metadata.json.
func (b *reading) readInfo() {
	f := b.infos[infoFile]
	switch {
	case f == nil:
		b.refuse("info_missing", "The upload does not contain info.json file, which says what it holds. The file is kept.")
		return
	case !f.kept:
		b.refuse("info_too_large", "The upload's info.json has more than %d bytes. The file is kept.", infoMax)
		return
	}
	var ok bool
	if b.info, ok = object(f.text); !ok {
		b.refuse("info_unreadable", "The upload does not contain info.json file that is a JSON object. The file is kept.")
		return
	}
	if depth := core.Depth(f.text); depth > depthMax {
		b.refuse("info_too_deep", "The upload's info.json has %d arrays and objects in each other, which is more than %d. The file is kept.", depth, depthMax)
		return
	}
	if format := b.info.text("format"); format != "" && !b.info.generic() && !strings.EqualFold(format, formatLegacy) {
		b.refuse("format_unknown", "info.json says a format that is neither %s nor %s. The file is kept.", formatLegacy, formatGeneric)
		return
	}
	b.out.Info = trimmed(f.text)
	b.out.AppVersion = b.short("appVersion")
	b.out.PhoneInfo = b.short("phoneInfo")
	b.readMetadata(b.infos[metadataFile])
}

// short gives a text as far as records keep it.
func (b *reading) short(key string) string {
	runes := []rune(b.info.text(key))
	if len(runes) <= textMax {
		return string(runes)
	}
	b.say("text_cut", "info.json: %s has more than %d characters; the first %d are kept.", key, textMax, textMax)
	return string(runes[:textMax])
}

// readMetadata joins the metadata of the bundle with that of the request, which
// counts where both have a key.
func (b *reading) readMetadata(f *file) {
	all := map[string]json.RawMessage{}
	switch {
	case f == nil:
	case !f.kept:
		b.say("metadata_too_large", "metadata.json has more than %d bytes, so it is left out.", infoMax)
	default:
		read, ok := object(f.text)
		switch {
		case !ok:
			b.say("metadata_unreadable", "metadata.json is no JSON object, so it is left out.")
		case len(read) > metadataKeys:
			b.say("metadata_too_large", "metadata.json has more than %d keys, so it is left out.", metadataKeys)
		case core.Depth(f.text) > depthMax:
			b.say("metadata_too_large", "metadata.json has more than %d arrays and objects in each other, so it is left out.", depthMax)
		default:
			maps.Copy(all, read)
		}
	}
	maps.Copy(all, b.upload.Metadata)
	b.out.UserMetadata = all
}

// object reads a small JSON object.
func object(text []byte) (map[string]json.RawMessage, bool) {
	document, ok := valid(text)
	if !ok || len(document) == 0 || document[0] != '{' {
		return nil, false
	}
	all := map[string]json.RawMessage{}
	members(document, func(key string, value json.RawMessage, _ int) { all[key] = value })
	return all, true
}

// date sets when the bundle was recorded.
func (b *reading) date(at time.Time) {
	b.out.CreatedOn, b.out.CreatedOnZone = at.UTC(), schema.Offset(at)
}

// createdOn reads info.json's own date; false where there is none that is one.
func (b *reading) createdOn() (time.Time, bool) {
	text := b.info.text("createdOn")
	if text == "" {
		return time.Time{}, false
	}
	at, err := schema.Moment(text)
	if err != nil {
		b.say("created_on_invalid", "info.json: createdOn is %s.", err)
	}
	return at, err == nil
}

// revision reads the revision of the schema; 0 where it says none that can be.
func (i info) revision() int {
	text := i.text("schemaRevision")
	if text == "" {
		return 1
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n != float64(int32(n)) || n < 1 {
		return 0
	}
	return int(n)
}
