package main

type sendCommand struct{}

func (*sendCommand) Run(*session) error { return nil }

type demoCommand struct{}

func (*demoCommand) Run(*session) error { return nil }
