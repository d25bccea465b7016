package views

// iconPath is the drawing of an icon on a 24 by 24 grid, stroked.
func iconPath(name string) string {
	switch name {
	case "menu":
		return "M4 7h16M4 12h16M4 17h16"
	case "plus":
		return "M12 5v14M5 12h14"
	case "more":
		return "M4.5 12h1M11.5 12h1M18.5 12h1"
	case "close":
		return "M6 6l12 12M18 6L6 18"
	case "skip":
		return "M6 7l5 5-5 5M13 7l5 5-5 5"
	case "partly":
		return "M12 6v7M12 17v.2"
	case "check":
		return "M5 12.5l4.5 4.5L19 7"
	case "cross":
		return "M7 7l10 10M17 7L7 17"
	case "project":
		return "M4 6.5A1.5 1.5 0 0 1 5.5 5H10l2 2.5h6.5A1.5 1.5 0 0 1 20 9v8.5a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5z"
	case "plan":
		return "M9 6h11M9 12h11M9 18h11M4 6.2l.8.8L6.5 5.3M4 12.2l.8.8 1.7-1.7M4 18.2l.8.8 1.7-1.7"
	case "artifact":
		return "M7 3.5h7l4.5 4.5v11a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 19V5A1.5 1.5 0 0 1 7 3.5zM14 3.5V8h4.5"
	case "admin":
		return "M4 19V11M10 19V5M16 19v-6M21 19H3"
	case "settings":
		return "M4 8h9M19 8h1M4 16h1M11 16h9M16 5.5v5M8 13.5v5"
	case "leave":
		return "M14 5H6.5A1.5 1.5 0 0 0 5 6.5v11A1.5 1.5 0 0 0 6.5 19H14M17 8.5l3.5 3.5-3.5 3.5M20 12H10"
	case "send":
		return "M12 19V5.5M6 11l6-6 6 6"
	case "stop":
		return "M7 7h10v10H7z"
	case "edit":
		return "M5 19l1-4L16 5l3 3L9 18zM14 7l3 3"
	case "delete":
		return "M5 7h14M10 7V5h4v2M7 7l.8 12h8.4L17 7M10.5 11v5M13.5 11v5"
	case "download":
		return "M12 4.5v11M7 11l5 5 5-5M5 19.5h14"
	case "search":
		return "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L20 20"
	case "alert":
		return "M12 4.5l8.5 15h-17zM12 10.5v4M12 17v.2"
	case "undo":
		return "M8 5L4 9l4 4M4 9h9.5a5.5 5.5 0 0 1 0 11H9"
	case "chevron":
		return "M8 10l4 4 4-4"
	case "clock":
		return "M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 7.5V12l3 2"
	}
	return "M12 12h.01"
}
