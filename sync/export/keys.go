package export

import (
	"slices"
	"strconv"
	"strings"
)

// The rules here are: a key has only characters that every repository takes;
// no two keys differ only in case, because object stores fold it; the same
// metadata always gives the same keys; what the app submits never passes for
// what the service says.

// accessKey is reserved by the analysis repository.
const accessKey = "_accessRequirementIds"

// submitted gives the app's metadata under legal keys. Of keys that become
// the same, the first in the order of what was submitted keeps the name and
// the others are numbered from 2. What the app calls by a name of the
// service's is left out where the service has a value of its own, and else
// numbered as well.
func submitted(metadata map[string]string, service Annotations) Annotations {
	originals := make([]string, 0, len(metadata))
	for original := range metadata {
		originals = append(originals, original)
	}
	slices.Sort(originals)

	overruled, taken := map[string]bool{}, map[string]bool{strings.ToLower(accessKey): true}
	for _, key := range ServiceKeys() {
		_, says := service[key]
		overruled[strings.ToLower(key)] = says
		taken[strings.ToLower(key)] = true
	}
	annotations := make(Annotations, len(metadata))
	for _, original := range originals {
		key := legal(original)
		if overruled[strings.ToLower(key)] {
			continue
		}
		key = free(key, taken)
		taken[strings.ToLower(key)] = true
		annotations[key] = plain(metadata[original])
	}
	return annotations
}

// legal replaces each character that a key may not have by one underscore.
func legal(key string) string {
	key = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_':
			return r
		}
		return '_'
	}, key)
	if key == "" {
		return "_"
	}
	return key
}

// free gives key, or key with the first number from 2 that makes it free.
// taken holds keys in lower case.
func free(key string, taken map[string]bool) string {
	candidate := key
	for n := 2; taken[strings.ToLower(candidate)]; n++ {
		candidate = key + "_" + strconv.Itoa(n)
	}
	return candidate
}
