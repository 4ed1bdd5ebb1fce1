package call

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
)

const wishesMax = 100 // entries that are read of a header

// Languages lists the languages that a request's Accept-Language asks for, two or
// three letters each, the most wanted first. What cannot be read is passed over.
func Languages(r *http.Request) []string {
	type wish struct {
		language string
		weight   float64
	}
	var wishes []wish
	entries := strings.SplitN(strings.Join(r.Header.Values("Accept-Language"), ","), ",", wishesMax+1)
	for _, entry := range entries[:min(wishesMax, len(entries))] {
		tag, parameters, _ := strings.Cut(entry, ";")
		language, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
		weight := 1.0
		if q, ok := strings.CutPrefix(strings.TrimSpace(parameters), "q="); ok {
			var err error
			if weight, err = strconv.ParseFloat(q, 64); err != nil {
				continue
			}
		}
		if !letters(language) || weight <= 0 {
			continue
		}
		wishes = append(wishes, wish{language, weight})
	}
	slices.SortStableFunc(wishes, func(a, b wish) int {
		switch {
		case a.weight > b.weight:
			return -1
		case a.weight < b.weight:
			return 1
		}
		return 0
	})
	var all []string
	for _, w := range wishes {
		if !slices.Contains(all, w.language) {
			all = append(all, w.language)
		}
	}
	return all
}

func letters(language string) bool {
	return (len(language) == 2 || len(language) == 3) && strings.Trim(language, "abcdefghijklmnopqrstuvwxyz") == ""
}
