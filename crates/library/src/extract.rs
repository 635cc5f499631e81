//! What a document says: text out of Markdown, HTML, plain text and PDF.

use std::panic::{AssertUnwindSafe, catch_unwind};

use policy::DocumentLimits;

use crate::Error;

/// What a document is given as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Markdown.
    Markdown,
    /// HTML, which is turned into Markdown.
    Html,
    /// Text without marks.
    Plain,
    /// PDF, of which the text is taken page by page.
    Pdf,
}

/// A document's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Extracted {
    pub(crate) text: String,
    pub(crate) is_markdown: bool,
    /// Headings that the text itself does not have, with the bytes where they would stand, in order.
    pub(crate) headings: Vec<(usize, String)>,
}

impl Format {
    /// The format of a file, by the end of its name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "md" | "markdown" | "mdx" => Some(Self::Markdown),
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "txt" | "text" | "rst" | "adoc" | "log" => Some(Self::Plain),
            "pdf" => Some(Self::Pdf),
            _ => None,
        }
    }

    /// The format of a media type.
    #[must_use]
    pub fn of_media_type(media_type: &str) -> Option<Self> {
        let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match essence.as_str() {
            "text/markdown" | "text/x-markdown" => Some(Self::Markdown),
            "text/html" | "application/xhtml+xml" => Some(Self::Html),
            "text/plain" => Some(Self::Plain),
            "application/pdf" => Some(Self::Pdf),
            _ => None,
        }
    }

    /// The format's media type.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Markdown => "text/markdown",
            Self::Html => "text/html",
            Self::Plain => "text/plain",
            Self::Pdf => "application/pdf",
        }
    }
}

/// Takes the text out of what was given.
pub(crate) fn text(format: Format, bytes: &[u8], limits: &DocumentLimits) -> Result<Extracted, Error> {
    if bytes.len() > limits.bytes_max {
        return Err(Error::TooLarge { what: "documents.bytes_max", most: limits.bytes_max });
    }
    let extracted = match format {
        Format::Markdown => Extracted { text: utf8(bytes)?, is_markdown: true, headings: Vec::new() },
        Format::Plain => Extracted { text: utf8(bytes)?, is_markdown: false, headings: Vec::new() },
        Format::Html => Extracted { text: html(&utf8(bytes)?)?, is_markdown: true, headings: Vec::new() },
        Format::Pdf => pdf(bytes)?,
    };
    if extracted.text.chars().count() > limits.chars_max {
        return Err(Error::TooLarge { what: "documents.chars_max", most: limits.chars_max });
    }
    Ok(extracted)
}

fn utf8(bytes: &[u8]) -> Result<String, Error> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|_| Error::Unreadable("the text is not UTF-8"))?;
    Ok(text.replace("\r\n", "\n").replace('\0', ""))
}

fn html(text: &str) -> Result<String, Error> {
    let left_out = vec!["script", "style", "noscript", "template", "svg", "nav", "iframe", "head"];
    let converter = htmd::HtmlToMarkdown::builder().skip_tags(left_out).build();
    converter.convert(text).map_err(|_| Error::Unreadable("the HTML cannot be read"))
}

/// The library that reads PDF panics on some files that are none; what it says then is of no use to anyone.
fn pdf(bytes: &[u8]) -> Result<Extracted, Error> {
    let fault = Error::Unreadable("the PDF cannot be read");
    let read = catch_unwind(AssertUnwindSafe(|| pdf_extract::extract_text_from_mem_by_pages(bytes)));
    let Ok(Ok(pages)) = read else { return Err(fault) };
    let mut extracted = Extracted { text: String::new(), is_markdown: false, headings: Vec::new() };
    for (at, page) in pages.iter().enumerate() {
        if !page.trim().is_empty() {
            extracted.headings.push((extracted.text.len(), format!("Page {}", at + 1)));
            extracted.text.push_str(page.trim());
            extracted.text.push_str("\n\n");
        }
    }
    if extracted.text.is_empty() { Err(Error::Unreadable("the PDF has no text")) } else { Ok(extracted) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> DocumentLimits {
        policy::Policy::shipped().unwrap().library.documents
    }

    #[test]
    fn formats_are_known_by_name_and_type() {
        assert_eq!(Format::of_name("docs/Intro.MD"), Some(Format::Markdown));
        assert_eq!(Format::of_name("a.tar.gz"), None);
        assert_eq!(Format::of_media_type("text/html; charset=utf-8"), Some(Format::Html));
    }

    #[test]
    fn html_becomes_markdown() {
        let html = "<html><head><title>T</title><style>p{}</style></head><body><h1>One</h1><p>Two <b>three</b></p>\
                    <script>var x;</script><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></body></html>";
        let text = text(Format::Html, html.as_bytes(), &limits()).unwrap().text;
        assert!(
            text.contains("# One") && text.contains("Two **three**") && !text.contains("var x"),
            "{text}"
        );
        assert!(text.contains("| a") && text.contains("| 1"), "{text}");
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        assert!(matches!(text(Format::Pdf, b"%PDF-1.4 nothing", &limits()), Err(Error::Unreadable(_))));
        assert!(matches!(text(Format::Plain, &[0xff, 0xfe, 0x00], &limits()), Err(Error::Unreadable(_))));
        let small = DocumentLimits { bytes_max: 3, ..limits() };
        assert!(matches!(text(Format::Plain, b"four", &small), Err(Error::TooLarge { .. })));
    }

    #[test]
    fn the_pages_of_a_pdf_are_sections() {
        let text =
            text(Format::Pdf, &crate::fixture::pdf(&["Hello library", "Second page"]), &limits()).unwrap();
        assert!(text.text.contains("Hello library"), "{text:?}");
        assert_eq!(
            text.headings.iter().map(|(_, heading)| heading.as_str()).collect::<Vec<_>>(),
            ["Page 1", "Page 2"]
        );
    }
}
