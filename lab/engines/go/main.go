// The engine gmsm: SM4 and ZUC of github.com/emmansun/gmsm, measured on the wall clock.
//
// It reads requests on its standard input and answers each with one line, by the protocol that
// docs/METHOD.md of Cipherlane describes.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
)

// The most bytes of a request.
const maxLine = 1 << 20

func init() {
	// All work is done by one thread of the system, whose interruptions are counted.
	runtime.LockOSThread()
}

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func serve(in io.Reader, out io.Writer) error {
	server := newServer()
	lines := bufio.NewReader(in)
	for {
		text, err := lines.ReadString('\n')
		if text == "" && err == io.EOF {
			return nil
		}
		if err != nil && err != io.EOF {
			return err
		}
		if _, err := fmt.Fprintln(out, server.answer(text)); err != nil {
			return err
		}
	}
}

// version is that of the module, as it was built in.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == "github.com/emmansun/gmsm" {
				return module.Version
			}
		}
	}
	return "?"
}

func describe() line {
	path, _ := os.Executable()
	reply := newLine("ok").
		with("engine", "gmsm").
		with("version", version()).
		with("build", runtime.Version()+" "+runtime.GOARCH).
		with("path", path)
	for _, operation := range operations {
		reply = reply.with("offer", operation.offer())
	}
	for _, wrong := range knownWrong {
		reply = reply.with("known_wrong", wrong)
	}
	return reply
}
