package view

// The short texts of the window: buttons, headings and fields. Each stands here
// once, so that they can be said in another language.
const (
	LabelTitle    = "Footbridge"
	LabelOverview = "Overview"
	LabelUploads  = "Uploads"
	LabelSync     = "Sending"
	LabelActivity = "Activity"

	LabelNeeds        = "What needs a person"
	LabelQueues       = "On the way"
	LabelDestinations = "Destinations"
	LabelDisk         = "Disk"
	LabelParked       = "Records that need a person"

	LabelSearch      = "Search by file, participant or id (Ctrl+F)"
	LabelAnyState    = "Any state"
	LabelAnyStudy    = "Any study"
	LabelTimeline    = "How it went"
	LabelMessages    = "Messages"
	LabelChoose      = "Choose an upload to see how it went."
	LabelRetry       = "Retry"
	LabelRedrive     = "Process again"
	LabelCopy        = "Copy id"
	LabelPause       = "Pause"
	LabelResume      = "Resume"
	LabelNow         = "Send now"
	LabelShow        = "Show"
	LabelKeys        = "Ctrl+1 to Ctrl+4: pages   Ctrl+F: search   Tab: next   Space: press"
	LabelAnswersNot  = "Footbridge does not answer. It is asked again; if this stays, start it again."
	LabelNobody      = "no participant id"
	LabelNoUploads   = "No upload is to be shown here."
	LabelLooking     = "Looking further back…"
	LabelNothingDone = "Nobody has done anything yet."
	LabelNothingWait = "Nothing waits for a person."
	LabelRetried     = "It is tried again."
	LabelRedriven    = "It is processed again."
	LabelCopied      = "The id is on the clipboard."
	LabelClose       = "Close Footbridge?"
	LabelCloseWhy    = "Devices cannot send while it is closed: they keep their data, and send it when Footbridge runs again."
)
