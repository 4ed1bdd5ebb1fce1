package call

import (
	"fmt"
	"net/http"
	"strconv"
)

const pageMax = 500 // items

// Page is a PagedResourceList.
type Page[T any] struct {
	Items  []T            `json:"items"`
	Total  int            `json:"total"` // of all pages
	Asked  map[string]any `json:"requestParams,omitempty"`
	Offset int            `json:"offsetBy,omitempty"`
	Type   string         `json:"type"`
}

// WritePage answers with the items that the query's offsetBy and pageSize ask for,
// with all of them where it says nothing. Errors: 400.
func WritePage[T any](w http.ResponseWriter, r *http.Request, all []T) error {
	from, err := Number(r, "offsetBy", 0, 0, 1<<31-1)
	if err != nil {
		return err
	}
	size, err := Number(r, "pageSize", len(all), 1, pageMax)
	if err != nil {
		return err
	}
	page := Page[T]{Items: []T{}, Total: len(all), Offset: from, Type: "PagedResourceList"}
	if r.URL.Query().Has("offsetBy") || r.URL.Query().Has("pageSize") {
		page.Asked = map[string]any{"offsetBy": from, "pageSize": size, "type": "RequestParams"}
	}
	if from < len(all) {
		page.Items = append(page.Items, all[from:min(len(all), from+size)]...)
	}
	Write(w, http.StatusOK, page)
	return nil
}

// list is a ResourceList.
type list[T any] struct {
	Items []T            `json:"items"`
	Total int            `json:"total"`
	Asked map[string]any `json:"requestParams,omitempty"`
	Type  string         `json:"type"`
}

// ResourceList is a list that has no pages; asked is what the query asked for, by
// parameter, nil where it cannot.
func ResourceList[T any](items []T, asked map[string]any) any {
	if asked != nil {
		asked["type"] = "RequestParams"
	}
	return list[T]{append([]T{}, items...), len(items), asked, "ResourceList"}
}

// Number reads an optional whole number of the query. Errors: 400.
func Number(r *http.Request, name string, otherwise, least, most int) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, BadRequest(fmt.Sprintf("Query parameter %s must be a whole number from %d to %d.", name, least, most))
	}
	return n, nil
}
