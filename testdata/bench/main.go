package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// plan is what a run measures with.
type plan struct {
	dir     string        // scratch
	devices int           // at once
	time    time.Duration // per timed row
	large   int64         // bytes of the large file
	uploads int           // in the store that the window looks at
	only    string        // the rows to measure; empty: all
}

func main() {
	if len(os.Args) == 4 && os.Args[1] == "tusd" {
		serveTusd(os.Args[2], os.Args[3])
		return
	}
	if len(os.Args) == 4 && os.Args[1] == "fill" { // a home that makeHome made, to look at
		uploads, err := strconv.Atoi(os.Args[3])
		if err == nil {
			err = fill(os.Args[2], uploads)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	p := plan{}
	flag.IntVar(&p.devices, "devices", 16, "devices at once")
	flag.DurationVar(&p.time, "time", 8*time.Second, "how long each timed row runs")
	flag.Int64Var(&p.large, "large", 1<<30, "size of the large file, bytes")
	flag.IntVar(&p.uploads, "uploads", 1_000_000, "uploads in the store that the window looks at")
	flag.StringVar(&p.only, "only", "", "the rows to measure: writes, uploads, decryption, exports or window; else all")
	scratch := flag.String("scratch", "", "where to make the scratch folder; else the system's place")
	flag.Parse()
	if err := measure(p, *scratch); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func measure(p plan, scratch string) error {
	var err error
	if p.dir, err = os.MkdirTemp(scratch, "footbridge-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(p.dir)
	program := filepath.Join(p.dir, "footbridge")
	if err := build(program); err != nil {
		return err
	}
	fmt.Printf("%-52s %14s %14s %8s %8s\n", "", "footbridge", "beside", "ratio", "aim")
	for _, rows := range []struct {
		name    string
		measure func(plan, string) error
	}{{"writes", writePath}, {"uploads", smallUploads}, {"decryption", decryption}, {"exports", exports}, {"window", windowRows}} {
		if p.only != "" && p.only != rows.name {
			continue
		}
		if err := rows.measure(p, program); err != nil {
			return err
		}
	}
	return nil
}

// row prints one comparison; figures are per second unless the unit says else.
func row(what string, ours, theirs float64, unit string, aim float64) {
	print(what, ours, theirs, unit, aim, "%.1f×")
}

// rowFine prints one whose aim has two digits.
func rowFine(what string, ours, theirs float64, unit string, aim float64) {
	print(what, ours, theirs, unit, aim, "%.2f×")
}

func print(what string, ours, theirs float64, unit string, aim float64, format string) {
	ratio, verdict := ours/theirs, ""
	if aim > 0 && ratio < aim {
		verdict = "  falls short"
	}
	wanted := ""
	if aim > 0 {
		wanted = fmt.Sprintf(format, aim)
	}
	fmt.Printf("%-52s %9.0f %-4s %9.0f %-4s %7.2f× %7s%s\n", what, ours, unit, theirs, unit, ratio, wanted, verdict)
}
