package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // date folders need zones where the system has none

	"github.com/alecthomas/kong"
)

// The exit codes.
const (
	exitDone    = 0
	exitRefused = 1
	exitUsage   = 2
)

func main() {
	keepPrivate()
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// commands is the command line.
type commands struct {
	Home string `help:"The home folder." env:"FOOTBRIDGE_HOME" type:"path" placeholder:"DIR"`

	Init         initCommand         `cmd:"" help:"Make a new home: keys, administrator, study and its project."`
	Serve        serveCommand        `cmd:"" help:"Run the appliance without a window."`
	Window       windowCommand       `cmd:"" default:"withargs" help:"Open the window, and run the appliance where none runs yet (the default); a build without the window serves."`
	Demo         demoCommand         `cmd:"" help:"Show the whole main job in front of your eyes, in a scratch home."`
	Send         sendCommand         `cmd:"" help:"Send files as a device would."`
	Status       statusCommand       `cmd:"" help:"Show queues, storage, connection and what needs a person."`
	View         viewCommand         `cmd:"" help:"Print the file view joined with Participant Versions."`
	Participant  participantCommand  `cmd:"" help:"Create and list participants."`
	Staff        staffCommand        `cmd:"" help:"Create accounts for members of staff."`
	Study        studyCommand        `cmd:"" help:"Create and list studies, and make their projects."`
	Upload       uploadCommand       `cmd:"" help:"List and show uploads, and get the files of their records."`
	Timeline     timelineCommand     `cmd:"" help:"Put a study's timeline in place, and show it."`
	Schema       schemaCommand       `cmd:"" help:"Make, change, list, show and delete the schemas of legacy bundles."`
	Survey       surveyCommand       `cmd:"" help:"Make, publish, list and show surveys."`
	Pair         pairCommand         `cmd:"" help:"Make a code that pairs a device with a participant."`
	Device       deviceCommand       `cmd:"" help:"List, show and forget the devices in the field."`
	Key          keyCommand          `cmd:"" help:"Create, import, list and show the keys that devices encrypt to."`
	Credentials  credentialsCommand  `cmd:"" help:"Print temporary read-only credentials for direct storage access."`
	Repository   repositoryCommand   `cmd:"" help:"Try out where records go."`
	Sync         syncCommand         `cmd:"" help:"Pause, resume and hurry what is sent to the repository."`
	Notification notificationCommand `cmd:"" help:"Tell receivers what happens, and watch it."`
	Audit        auditCommand        `cmd:"" help:"Show who changed what, and who took what out."`
	Config       configCommand       `cmd:"" help:"Show and change the settings."`
	Service      serviceCommand      `cmd:"" help:"Say when Footbridge runs by itself."`
	Version      versionCommand      `cmd:"" help:"Print the version."`
}

// run parses and executes a command line and gives the exit code.
func run(args []string, out, errs io.Writer) int {
	var line commands
	printed := &printer{to: out}
	out = printed
	parser, err := kong.New(&line,
		kong.Name("footbridge"),
		kong.Description("A local-first appliance for clinics and field sites: takes health-data uploads, keeps them safe, and carries them to the repository."),
		kong.Writers(out, errs), kong.UsageOnError(),
		kong.Exit(func(code int) { panic(exit(code)) }))
	if err != nil {
		fmt.Fprintln(errs, err)
		return exitUsage
	}
	return guarded(errs, func() error {
		command, err := parser.Parse(args)
		if err != nil {
			return &usageError{err}
		}
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		home, err := homeFolder(line.Home)
		if err != nil {
			return err
		}
		command.BindTo(ctx, (*context.Context)(nil))
		if err := command.Run(&session{home: home, out: out, errors: errs}); err != nil {
			return err
		}
		return printed.failed
	})
}

// exit is how kong ends a command line that asked for help.
type exit int

// usageError is a command line that cannot be understood.
type usageError struct{ error }

// guarded runs f and turns its error into words and an exit code.
func guarded(errs io.Writer, f func() error) (code int) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case exit:
			code = int(p)
		default:
			panic(p)
		}
	}()
	err := f()
	var usage *usageError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &usage):
		fmt.Fprintf(errs, "footbridge: %v\nTry footbridge --help.\n", err)
		return exitUsage
	case errors.Is(err, context.Canceled):
		err = errors.New("stopped before it was done; the same command goes on from there")
	}
	fmt.Fprintf(errs, "footbridge: %v\n", err)
	return exitRefused
}
