package study

import "io"

// ImportSchema, ImportKey and ImportTimeline do what the buttons do once a file is
// chosen.
func (s *Page) ImportSchema(file io.ReadCloser)   { s.papers.importSchema(file) }
func (s *Page) ImportKey(file io.ReadCloser)      { s.papers.importKey(file) }
func (s *Page) ImportTimeline(file io.ReadCloser) { s.papers.importTimeline(file) }
