package guide

// Look looks how far the test upload is, as time passes.
func (g *Guide) Look() { g.ready.look() }
