package export

import (
	"cmp"
	"maps"
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

// submitted gives the app's metadata under legal keys. A key that is legal as
// submitted keeps its name; of such that differ only in case, the one in lower
// case where they first differ. The others are numbered from 2: first those
// that were legal, then those that had to be reduced and find their name
// taken, each in order. What the app calls by a name of the service's is left
// out where the service has a value of its own, and else numbered as well; what
// it calls by a name of the timeline's is left out where own has that.
func submitted(metadata map[string]string, own Annotations) Annotations {
	overruled, taken := map[string]bool{}, map[string]bool{strings.ToLower(accessKey): true}
	for _, key := range ServiceKeys() {
		taken[strings.ToLower(key)] = true
	}
	for key := range own { // those of the timeline are the app's where the timeline is silent
		overruled[strings.ToLower(key)] = true
	}
	annotations := make(Annotations, len(metadata))
	give := func(original, key string) {
		taken[strings.ToLower(key)] = true
		annotations[key] = plain(metadata[original])
	}
	var clashing, reduced []string
	for _, original := range slices.SortedFunc(maps.Keys(metadata), lowerFirst) {
		switch key := legal(original); {
		case overruled[strings.ToLower(key)]:
		case key != original:
			reduced = append(reduced, original)
		case taken[strings.ToLower(key)]:
			clashing = append(clashing, original)
		default:
			give(original, key)
		}
	}
	for _, original := range slices.Concat(clashing, reduced) {
		give(original, free(legal(original), taken))
	}
	return annotations
}

// lowerFirst orders keys without regard to case, and of those that differ in
// nothing else, the lower case before the upper.
func lowerFirst(a, b string) int {
	return cmp.Or(cmp.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(b, a))
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

// free gives a key or name, or it with the first number from 2 that makes it free.
// taken holds them in lower case.
func free(key string, taken map[string]bool) string {
	candidate := key
	for n := 2; taken[strings.ToLower(candidate)]; n++ {
		candidate = key + "_" + strconv.Itoa(n)
	}
	return candidate
}
