package main

// keepPrivate has nothing to do: files inherit the rights of the user's folders.
func keepPrivate() {}
