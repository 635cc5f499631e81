//! Documents for the tests.

use std::fmt::Write as _;

/// A PDF of one line a page, written by hand.
pub(crate) fn pdf(lines: &[&str]) -> Vec<u8> {
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        String::new(),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    let mut kids = Vec::new();
    for line in lines {
        let stream = format!("BT /F1 12 Tf 72 720 Td ({line}) Tj ET");
        objects.push(format!("<< /Length {} >>\nstream\n{stream}\nendstream", stream.len()));
        let contents = objects.len();
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {contents} 0 R \
             /Resources << /Font << /F1 3 0 R >> >> >>"
        ));
        kids.push(format!("{} 0 R", objects.len()));
    }
    objects[1] = format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), kids.len());
    let mut pdf = "%PDF-1.4\n".to_owned();
    let mut places = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        places.push(pdf.len());
        let _ = write!(pdf, "{} 0 obj\n{object}\nendobj\n", at + 1);
    }
    let start = pdf.len();
    let _ = write!(pdf, "xref\n0 {}\n0000000000 65535 f \n", places.len() + 1);
    for place in &places {
        let _ = writeln!(pdf, "{place:010} 00000 n ");
    }
    let _ = write!(pdf, "trailer << /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n", places.len() + 1);
    pdf.into_bytes()
}
