package judge

import (
	"fmt"
	"os"
	"sync"
)

// Whether assertions are counted instead of judged, after a verdict: this process gives none then.
var counting = len(os.Args) > 1 && os.Args[1] == "counts"

const (
	maxAssertions = 1000
	maxFailing    = 10
)

var counted struct {
	sync.Mutex
	passed, failed int
	// Lines of the tests with assertions that fail.
	failing   []int
	isPartial bool
}

func count(holds bool) {
	line := TestLine()
	counted.Lock()
	defer counted.Unlock()
	if holds {
		counted.passed++
	} else {
		counted.failed++
		note(line)
	}
	if counted.passed+counted.failed >= maxAssertions {
		counted.isPartial = true
		endCounting()
	}
}

func note(line int) {
	for _, known := range counted.failing {
		if known == line {
			return
		}
	}
	if len(counted.failing) < maxFailing {
		counted.failing = append(counted.failing, line)
	}
}

// attempt runs a test. After one that panics, the others are counted too.
func attempt(test func()) {
	defer func() {
		if recover() != nil {
			counted.isPartial = true
		}
	}()
	test()
}

// endCounting sends the counts and ends the process: passed, failed, and lines that fail.
func endCounting() {
	ending.Lock()
	text := fmt.Sprint(counted.passed, " ", counted.failed)
	for _, line := range counted.failing {
		text += fmt.Sprint(" ", line)
	}
	report := Report{Kind: "counted", Message: text}
	if counted.isPartial {
		report.Type = "partial"
	}
	send(report)
	os.Exit(0)
}
