package remote

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/rclone/rclone/fs"
	"github.com/rclone/rclone/fs/config/configmap"
	"github.com/rclone/rclone/fs/config/obscure"
	"github.com/rclone/rclone/lib/encoder"
	"github.com/rclone/rclone/lib/file"

	"footbridge/core"
)

// failure is an error whose text was cleared of secrets. It answers errors.Is
// for its causes, but does not hand them out, because their text was not.
type failure struct {
	text    string
	trouble Trouble
	causes  []error
}

// Error tells what was done to what, and what came in between. It never names a
// file of the repository: its name is what a participant's device called it.
func (f *failure) Error() string { return f.text }

// Is reports whether any of the causes is target.
func (f *failure) Is(target error) bool {
	return slices.ContainsFunc(f.causes, func(cause error) bool { return errors.Is(cause, target) })
}

// fileFailure says that verb was not done to the file at a path, naming only
// its folder.
func (r *Remote) fileFailure(ctx context.Context, verb, file string, err error) error {
	folder, base := path.Split(file)
	if folder == "" {
		folder = "the top folder"
	}
	return r.fail(ctx, verb+" a file in "+strings.TrimSuffix(folder, "/"), hide(r.redact(err.Error()), base), err)
}

// hide replaces a file's name in text, however it is spelt there.
func hide(text, base string) string {
	const hidden = "<file>"
	for _, name := range []string{base} {
		for _, spelt := range []string{encoder.OS.FromStandardName(name), name, url.PathEscape(name), url.QueryEscape(name), strconv.Quote(name)} {
			spelt = strings.Trim(spelt, `"`)
			if len(spelt) >= 8 {
				text = strings.ReplaceAll(text, spelt, hidden)
			} else if spelt != "" { // too short to be sought within words
				text = strings.ReplaceAll(text, "/"+spelt, "/"+hidden)
			}
		}
	}
	return text
}

// failure says that verb was not done to object, which is no file.
func (r *Remote) failure(ctx context.Context, verb, object string, err error) error {
	return r.fail(ctx, verb+" "+object, r.redact(err.Error()), err)
}

// fail sorts the reason under core's errors where it belongs to one of them.
func (r *Remote) fail(ctx context.Context, what, why string, err error) error {
	f := &failure{trouble: sortOut(err), causes: []error{err}}
	if r.folder != nil && f.trouble == NotAllowed {
		f.trouble = Locked
	}
	if ctx.Err() != nil {
		f.causes = append(f.causes, ctx.Err())
	}
	if cause, ok := classes[f.trouble]; ok {
		f.causes = append(f.causes, cause)
	}
	if r.folder != nil && f.trouble == NoFolder {
		f.causes = append(f.causes, core.ErrNoRepository)
	}
	if len(why) > maxReason {
		why = strings.ToValidUTF8(why[:maxReason], "") + "…"
	}
	f.text = what + ": " + why
	if plain := f.trouble.Words(); plain != "" && ctx.Err() == nil {
		f.text = what + ": " + plain + " (" + why + ")"
	}
	return f
}

// classes are the errors that each trouble is, for those who go on from there.
// Every other one means that the remote is away.
var classes = map[Trouble]error{
	Full:       core.ErrNoSpace,
	Gone:       core.ErrNotFound,
	Differs:    core.ErrDigestMismatch,
	WrongKey:   errors.Join(core.ErrNoToken, os.ErrPermission),
	NotAllowed: os.ErrPermission,
	NotFolder:  core.ErrNoFolder,
	Locked:     errors.Join(core.ErrLocked, os.ErrPermission),
	WrongClock: os.ErrPermission,
	Busy:       core.ErrThrottled,
	Portal:     core.ErrImpostor,
}

// full reports whether there was no room.
func full(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, file.ErrDiskFull)
}

// missing reports whether the remote answered that it has no such file.
func missing(err error) bool {
	if known := (*trouble)(nil); errors.As(err, &known) {
		return false // the place itself is
	}
	for _, kind := range []error{fs.ErrorObjectNotFound, fs.ErrorDirNotFound, fs.ErrorIsDir, fs.ErrorNotAFile} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// damaged reports whether rclone found other bytes at the remote than those
// that it should have sent. It has no error of its own for that.
func damaged(err error) bool {
	return errors.Is(err, core.ErrDigestMismatch) || err != nil && strings.Contains(err.Error(), "corrupted")
}

// A URL names files and may carry a signature; its userinfo may hold a password.
var (
	address  = regexp.MustCompile(`(?i)\b(https?|sftp|ssh)://[^\s"'<>]*`)
	userinfo = regexp.MustCompile(`//[^/\s@"]*@`)

	// What the S3 library adds to every error tells nobody anything.
	ballast = regexp.MustCompile(`(, exceeded maximum number of attempts, \d+|RequestID: [^,]*, |HostID: [^,]*, )`)
)

// maxReason is how much of what a remote said is handed on, in bytes: a page for
// people may be long.
const maxReason = 300

// redact replaces every secret of the remote in text, and every URL.
func (r *Remote) redact(text string) string {
	for _, secret := range r.secret {
		text = strings.ReplaceAll(text, secret, "***")
	}
	text = ballast.ReplaceAllString(text, "")
	text = userinfo.ReplaceAllString(address.ReplaceAllString(text, "<url>"), "//***@")
	return strings.Join(strings.Fields(text), " ")
}

// secrets gives the values of options that must not be told, longest first:
// those that rclone calls sensitive and those that it does not know, as they
// are written and as they are meant.
func secrets(kind *fs.RegInfo, options configmap.Simple) []string {
	var all []string
	for key, value := range options {
		option := kind.Options.Get(key)
		if value == "" || key == "type" || option != nil && !option.IsPassword && !option.Sensitive {
			continue
		}
		all = append(all, value)
		if plain, err := obscure.Reveal(value); err == nil && plain != "" && option != nil && option.IsPassword {
			all = append(all, plain)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}
