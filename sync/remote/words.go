package remote

// Words says in plain words what is wrong; nothing where the remote's own words
// have to do.
func (t Trouble) Words() string { return explained[t].what }

// Advice says what a person can do about it; nothing where that is not known.
func (t Trouble) Advice() string { return explained[t].todo }

var explained = map[Trouble]struct{ what, todo string }{
	UnknownHost: {"the name of its host leads nowhere", "Check the spelling of the host, and whether this machine has a connection."},
	Refused:     {"nothing answers at its address", "Check host and port, and whether the server runs."},
	Silent:      {"the line is dead", "Check the connection of this machine. What waits is sent by itself once there is one."},
	Certificate: {"it cannot prove that it is who it should be", "Check the host's name and this machine's clock; a server with its own certificate needs one that this machine trusts, and an SFTP server the right line in known_hosts."},
	WrongKey:    {"it does not accept the key or password", "Correct the key, password or token in rclone.conf or in the settings. rclone wants passwords as rclone obscure prints them."},
	NotAllowed:  {"the account may not do that", "Give the account the right to list, read, write and delete there, or use another account."},
	NoBucket:    {"there is no such bucket", "Check the bucket's name, or make the bucket at the provider. Footbridge makes none, since region, encryption and access are decided there."},
	NoFolder:    {"there is no such folder", "Connect its disk, or make it: footbridge study create-project STUDY does."},
	NotFolder:   {"", "Move the file away, or name another folder as the repository."},
	Locked:      {"Footbridge may not write into that folder", "Let the user who runs Footbridge write into the folder, or name another one as the repository."},
	WrongClock:  {"the clocks of this machine and of the remote differ too much", "Set this machine's clock and time zone."},
	Portal:      {"something else answers in its place, such as the sign-in page of a network", "Sign in to the network with a browser, or use another network."},
	Busy:        {"it asks for a pause", "Nothing is to be done; it is tried again later."},
	Full:        {"", "Make room there."},
	Differs:     {"", "Run the test again. If it stays so, do not use this place: it does not keep what it is given."},
	Gone:        {"", "Run the test again. If it stays so, do not use this place: it does not keep what it is given."},
}
