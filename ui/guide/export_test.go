package guide

// Look looks how far the test upload is, as time passes.
func (g *Guide) Look() { g.ready.look() }

// AskToClose does what the close button of a desktop does.
func (g *Guide) AskToClose() { g.askToClose() }
