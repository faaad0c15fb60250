package web

import (
	"html/template"
	"regexp"
	"strings"
)

// markdown renders the little Markdown that rules.md uses: headings, paragraphs,
// lists, tables, code and bold. The first heading is left out and returned as the
// title. Everything else in the text is escaped, HTML included.
func markdown(text string) (title string, body template.HTML) {
	var b strings.Builder
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		lines := strings.Split(strings.Trim(block, "\n"), "\n")
		first := lines[0]
		switch {
		case strings.HasPrefix(first, "# "):
			title = first[2:]
		case strings.HasPrefix(first, "## "):
			b.WriteString("<h2>" + inline(first[3:]) + "</h2>\n")
		case strings.HasPrefix(first, "### "):
			b.WriteString("<h3>" + inline(first[4:]) + "</h3>\n")
		case strings.HasPrefix(first, "- "):
			list(&b, "ul", lines)
		case numbered.MatchString(first):
			list(&b, "ol", lines)
		case strings.HasPrefix(first, "|"):
			table(&b, lines)
		default:
			b.WriteString("<p>" + inline(strings.Join(lines, " ")) + "</p>\n")
		}
	}
	return title, template.HTML(b.String())
}

var (
	numbered = regexp.MustCompile(`^\d+\. `)
	marker   = regexp.MustCompile(`^(- |\d+\. )`)
	code     = regexp.MustCompile("`([^`]+)`")
	bold     = regexp.MustCompile(`\*\*([^*]+)\*\*`)
)

// inline escapes first, so the marks it then turns into tags are the only ones.
func inline(text string) string {
	text = template.HTMLEscapeString(text)
	text = bold.ReplaceAllString(text, "<b>$1</b>")
	return code.ReplaceAllString(text, "<code>$1</code>")
}

// list writes one item for each line with a marker; other lines go on with the item
// above them.
func list(b *strings.Builder, tag string, lines []string) {
	b.WriteString("<" + tag + ">")
	for i, line := range lines {
		if mark := marker.FindString(line); mark != "" {
			if i > 0 {
				b.WriteString("</li>")
			}
			b.WriteString("\n<li>" + inline(line[len(mark):]))
			continue
		}
		b.WriteString(" " + inline(strings.TrimSpace(line)))
	}
	b.WriteString("</li>\n</" + tag + ">\n")
}

// table writes lines of cells; the second line only divides the head from the body.
func table(b *strings.Builder, lines []string) {
	row := func(line, open, close string) {
		b.WriteString("<tr>")
		for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
			b.WriteString(open + inline(strings.TrimSpace(cell)) + close)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString(`<div class="scroll" role="region" aria-label="Table" tabindex="0"><table><thead>`)
	row(lines[0], `<th scope="col">`, "</th>")
	b.WriteString("</thead><tbody>\n")
	for _, line := range lines[min(2, len(lines)):] {
		row(line, "<td>", "</td>")
	}
	b.WriteString("</tbody></table></div>\n")
}
