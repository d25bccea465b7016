package e2e

import (
	"os"
	"testing"

	"github.com/go-rod/rod/lib/proto"
)

// TestScreenshot makes the README's picture:
//
//	ASSENT_SCREENSHOT=../static/screenshot.png go test ./e2e -run Screenshot
func TestScreenshot(t *testing.T) {
	to := os.Getenv("ASSENT_SCREENSHOT")
	if to == "" {
		t.Skip("makes a picture where ASSENT_SCREENSHOT says")
	}
	w := begin(t).window()
	w.setUp()
	w.say(office)
	w.waitingPlan()
	w.quiet()
	w.must(proto.EmulationSetScrollbarsHidden{Hidden: true}.Call(w.page))
	w.reload()
	w.waitingPlan()
	w.must(w.see("article.plan").ScrollIntoView())
	w.until(`document.fonts.status === "loaded"`)
	png, err := w.page.Screenshot(false, &proto.PageCaptureScreenshot{Format: proto.PageCaptureScreenshotFormatPng})
	w.must(err)
	w.must(os.WriteFile(to, png, 0o644))
	if len(png) > 250<<10 {
		t.Errorf("the picture has %d bytes", len(png))
	}
}
