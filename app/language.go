package main

import (
	"os"
	"path/filepath"
	"runtime"

	"footbridge/app/config"
	"footbridge/ui/tongue"
	"footbridge/ui/view"

	"github.com/jeandeaual/go-locale"
)

// tongue speaks the language of the settings, else that of the computer. Settings that
// cannot be read say nothing of it here; whoever needs them says why.
func (s *session) tongue() tongue.Tongue {
	t, _ := s.spoken()
	return t
}

// spoken is tongue; false where the settings cannot be read.
func (s *session) spoken() (tongue.Tongue, bool) {
	settings, err := config.Load(filepath.Join(s.home, config.FileName))
	if err != nil || settings.Language == "" {
		return tongue.In(locales()...), err == nil
	}
	return tongue.In(settings.Language), true
}

// reader is who reads what a command prints.
func (s *session) reader() view.Reader { return view.Reader{Tongue: s.tongue()} }

// locales are the languages of the computer, as POSIX or BCP 47.
func locales() []string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if wish := os.Getenv(name); wish != "" {
			return []string{wish}
		}
	}
	if runtime.GOOS != "windows" && runtime.GOOS != "darwin" {
		return nil
	}
	all, err := locale.GetLocales()
	if err != nil {
		return nil // then it is English
	}
	return all
}
