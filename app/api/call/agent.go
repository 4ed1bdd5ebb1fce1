package call

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The rules here are: a User-Agent is app/version (device; system/version)
// sdk/version, each part optional. A version that is no whole number is left
// out, its name stays. Two groups in parentheses, two slashes in one part, a
// semicolon outside the group or two in it: a browser, of which nothing is said.

// ClientInfo is what a User-Agent says of app, device and system.
type ClientInfo struct {
	AppName    string `json:"appName,omitempty"`
	AppVersion *int   `json:"appVersion,omitempty"`
	DeviceName string `json:"deviceName,omitempty"`
	OSName     string `json:"osName,omitempty"`
	OSVersion  string `json:"osVersion,omitempty"`
	SDKName    string `json:"sdkName,omitempty"`
	SDKVersion *int   `json:"sdkVersion,omitempty"`
	Type       string `json:"type"`
}

const userAgentMax = 255 // bytes

// ParseUserAgent reads a User-Agent; what is of another shape gives nothing.
func ParseUserAgent(text string) ClientInfo {
	info := ClientInfo{Type: "ClientInfo"}
	if len(text) <= 2*userAgentMax+2 {
		text = once(strings.TrimSpace(text))
	}
	if len(text) > userAgentMax {
		return info
	}
	app, group, sdk := parts(text)
	device, system, hasSystem := strings.Cut(group, ";")
	if !hasSystem && strings.Contains(device, "/") {
		device, system = "", device
	}
	for _, part := range []string{app, sdk, device, system} {
		if strings.ContainsAny(part, "();") || strings.Count(part, "/") > 1 {
			return info
		}
	}
	info.AppName, info.AppVersion = product(app)
	info.SDKName, info.SDKVersion = product(sdk)
	info.DeviceName = strings.TrimSpace(device)
	info.OSName, info.OSVersion = operatingSystem(strings.TrimSpace(system))
	return info
}

// once undoes what some clients do: they send the text twice, with a comma.
func once(text string) string {
	for i, r := range text {
		if half := strings.TrimSpace(text[:i]); r == ',' && half == strings.TrimSpace(text[i+1:]) {
			return half
		}
	}
	return text
}

var (
	twoProducts = regexp.MustCompile(`^([^/]*/\S*)\s+(.*)$`)
	twoVersions = regexp.MustCompile(`^(\d+)\s+(\d+)$`)
	wholeNumber = regexp.MustCompile(`^\d{1,9}$`)
)

// parts cuts a text at its parentheses; where there are none, behind the first
// version.
func parts(text string) (app, group, sdk string) {
	if before, rest, ok := strings.Cut(text, "("); ok {
		group, after, closed := strings.Cut(rest, ")")
		if !closed {
			return text, "", ""
		}
		return before, group, after
	}
	for _, form := range []*regexp.Regexp{twoProducts, twoVersions} {
		if two := form.FindStringSubmatch(text); two != nil {
			return two[1], "", two[2]
		}
	}
	return text, "", ""
}

// product reads name/version; a whole number alone is a version.
func product(text string) (name string, version *int) {
	name, number, _ := strings.Cut(text, "/")
	name, number = strings.TrimSpace(name), strings.TrimSpace(number)
	if number == "" && wholeNumber.MatchString(name) {
		name, number = "", name
	}
	if wholeNumber.MatchString(number) {
		n, _ := strconv.Atoi(number)
		version = &n
	}
	return name, version
}

// operatingSystem reads name/version, or with a space between the two.
func operatingSystem(text string) (name, version string) {
	name, version, found := strings.Cut(text, "/")
	if !found {
		if i := strings.LastIndexByte(text, ' '); i > 0 && strings.ContainsAny(text[i+1:], "0123456789") {
			name, version = text[:i], text[i+1:]
		}
	}
	name, version = strings.TrimSpace(name), strings.TrimSpace(version)
	switch name {
	case "iOS":
		name = "iPhone OS"
	case "Both":
		name = "Universal"
	}
	return name, version
}

// Kind is which app asks, on what model and system, whatever their versions.
func (c ClientInfo) Kind() string {
	parts := []string{c.AppName, c.DeviceName, c.OSName}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}

// Text is the client info as it is stored and exported: compact JSON.
func (c ClientInfo) Text() string {
	raw, _ := Encode(c) // it holds strings and numbers only
	return strings.TrimSpace(string(raw))
}
