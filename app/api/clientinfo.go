package api

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// clientInfo is what a User-Agent says of app, device and system.
type clientInfo struct {
	AppName    string `json:"appName,omitempty"`
	AppVersion *int   `json:"appVersion,omitempty"`
	DeviceName string `json:"deviceName,omitempty"`
	OSName     string `json:"osName,omitempty"`
	OSVersion  string `json:"osVersion,omitempty"`
	SDKName    string `json:"sdkName,omitempty"`
	SDKVersion *int   `json:"sdkVersion,omitempty"`
	Type       string `json:"type"`
}

const userAgentMax = 255

// userAgent is app/version (device; system/version) sdk/version, each part
// optional; a part without a parenthesis may be app or SDK.
var userAgent = regexp.MustCompile(`^([^(/;]*(?:/[^(/; ]*)?)\s*(?:\(([^()]*)\))?\s*([^(/;]*(?:/[^(/; ]*)?)$`)

// parseUserAgent reads a User-Agent; what is of another shape gives nothing.
func parseUserAgent(text string) clientInfo {
	info := clientInfo{Type: "ClientInfo"}
	if half, again, ok := strings.Cut(text, ","); ok && half == again {
		text = half
	}
	if len(text) > userAgentMax {
		return info
	}
	parts := userAgent.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		return info
	}
	app, sdk := parts[1], parts[3]
	if parts[2] == "" && sdk == "" { // app/1 sdk/2
		if first, second, ok := strings.Cut(strings.TrimSpace(app), " "); ok && strings.Contains(first, "/") {
			app, sdk = first, second
		}
	}
	info.AppName, info.AppVersion = product(app)
	info.SDKName, info.SDKVersion = product(sdk)
	device, system, hasSystem := strings.Cut(parts[2], ";")
	if !hasSystem && strings.Contains(device, "/") {
		device, system = "", device
	}
	info.DeviceName = strings.TrimSpace(device)
	info.OSName, info.OSVersion = operatingSystem(strings.TrimSpace(system))
	return info
}

func product(text string) (name string, version *int) {
	name, number, _ := strings.Cut(strings.TrimSpace(text), "/")
	if n, err := strconv.Atoi(strings.TrimSpace(number)); err == nil {
		version = &n
	}
	if n, err := strconv.Atoi(name); err == nil && number == "" {
		return "", &n
	}
	return strings.TrimSpace(name), version
}

func operatingSystem(text string) (name, version string) {
	name, version, found := strings.Cut(text, "/")
	if !found {
		if i := strings.LastIndexByte(text, ' '); i > 0 && strings.ContainsAny(text[i+1:], "0123456789") {
			name, version = text[:i], text[i+1:]
		}
	}
	switch name {
	case "iOS":
		name = "iPhone OS"
	case "Both":
		name = "Universal"
	}
	return name, version
}

// text is the client info as it is stored and exported: compact JSON.
func (c clientInfo) text() string {
	raw, _ := json.Marshal(c) // it holds strings and numbers only
	return string(raw)
}
