//! What the library answers, as text: the layout that the seed system's tools have, so that what reads it goes on reading it.

use contract::library::{ChunkBody, Direction, Expanded, FoundReply, Reasoned, Searched};

/// Documents and collections that were found.
pub(crate) fn found(reply: &FoundReply) -> String {
    let (query, is_semantic) = (&reply.meta.query, reply.meta.semantic);
    let mut sections = Vec::new();
    let documents: Vec<String> = reply
        .data
        .documents
        .iter()
        .map(|document| {
            let chunk = document.chunk_id.as_ref().map(|id| format!(", chunkId: {id}")).unwrap_or_default();
            let score = if is_semantic { format!(", score: {:.2}", document.score) } else { String::new() };
            let highlight = document.highlight.as_ref().map(|text| format!("\n  > {}", one_line(text)));
            let (title, id) = (&document.title, &document.document_id);
            format!("- **{title}** (id: {id}{chunk}{score}){}", highlight.unwrap_or_default())
        })
        .collect();
    if !documents.is_empty() {
        sections.push(format!("### Documents ({})\n{}", documents.len(), documents.join("\n")));
    }
    let collections: Vec<String> = reply
        .data
        .collections
        .iter()
        .map(|one| {
            let (name, id, items) = (&one.name, &one.collection_id, one.matched_items);
            if is_semantic {
                format!("- **{name}** (id: {id}, score: {:.2}, {items} matched items)", one.score)
            } else {
                format!("- **{name}** (id: {id})")
            }
        })
        .collect();
    if !collections.is_empty() {
        sections.push(format!("### Collections ({})\n{}", collections.len(), collections.join("\n")));
    }
    if sections.is_empty() {
        return nothing(query);
    }
    let kind = if is_semantic { "Semantic " } else { "" };
    format!("## {kind}Search Results for \"{query}\"\n\n{}", sections.join("\n\n"))
}

/// Chunks that were found.
pub(crate) fn searched(searched: &Searched) -> String {
    if searched.results.is_empty() {
        return nothing(&searched.meta.query);
    }
    let results: Vec<String> = searched
        .results
        .iter()
        .enumerate()
        .map(|(at, result)| {
            let mut lines = vec![
                format!("### Result {}", at + 1),
                format!("- **chunkId:** {}", result.chunk_id),
                format!("- **Score:** {:.2}", result.score),
                format!("- **Level:** {}", result.level.word()),
                format!("- **Document:** {} ({})", result.document_title, result.document_id),
                format!("- **Content:** {}", result.content),
            ];
            let siblings = &result.sibling_ids;
            lines.extend(labelled("Parent", result.parent_id.as_deref()));
            lines.extend(labelled("Prev Sibling", siblings.prev.as_deref()));
            lines.extend(labelled("Next Sibling", siblings.next.as_deref()));
            lines.join("\n")
        })
        .collect();
    let (query, total) = (&searched.meta.query, searched.meta.total_results);
    format!(
        "## Progressive Disclosure Search: \"{query}\"\n\n**Total Results:** {total}\n\n{}",
        results.join("\n\n")
    )
}

/// A chunk with where it stands.
pub(crate) fn chunk(chunk: &ChunkBody) -> String {
    let (hierarchy, metadata) = (&chunk.hierarchy, &chunk.metadata);
    let position = &hierarchy.position;
    let mut lines = vec![
        "## Chunk Details\n".to_owned(),
        format!("- **chunkId:** {}", chunk.chunk_id),
        format!("- **Level:** {}", chunk.level.word()),
        format!("- **Content:**\n\n{}\n", chunk.content),
        "### Hierarchy".to_owned(),
        format!("- **Document:** {} ({})", hierarchy.document_title, hierarchy.document_id),
        format!("- **Section Path:** {}\n", hierarchy.section_path),
        "### Position".to_owned(),
        format!("- **Chunk Index:** {}", position.chunk_index),
    ];
    lines.extend(labelled("Parent Chunk", position.parent_chunk_id.as_deref()));
    lines.extend(labelled("Prev Sibling", position.prev_sibling_id.as_deref()));
    lines.extend(labelled("Next Sibling", position.next_sibling_id.as_deref()));
    lines.extend([
        "\n### Metadata".to_owned(),
        format!("- **Word Count:** {}", metadata.word_count),
        format!("- **Start Index:** {}", metadata.start_index),
        format!("- **End Index:** {}", metadata.end_index),
    ]);
    lines.extend(labelled("Heading", metadata.heading_text.as_deref()));
    lines.push("\n> Use deep_expand with this chunkId to navigate to related chunks.".to_owned());
    lines.join("\n")
}

/// The chunks around a chunk.
pub(crate) fn expanded(direction: Direction, expanded: &Expanded) -> String {
    if expanded.chunks.is_empty() {
        return "No chunks found in that direction. If this chunkId was returned from a very recently created document, \
                re-run deep_search to obtain fresh chunkIds \u{2014} the chunk tree may have been rebuilt while the document \
                was being indexed."
            .to_owned();
    }
    let label = match direction {
        Direction::Up => "Parent chunk",
        Direction::Down => "Child chunks",
        Direction::Next => "Next sibling",
        Direction::Previous => "Previous sibling",
        Direction::Surrounding => "Surrounding chunks",
    };
    let chunks: Vec<String> = expanded
        .chunks
        .iter()
        .enumerate()
        .map(|(at, chunk)| {
            let mut lines = vec![
                format!("### Chunk {}", at + 1),
                format!("- **chunkId:** {}", chunk.id),
                format!("- **Level:** {}", chunk.level.word()),
                format!("- **Chunk Index:** {}", chunk.chunk_index),
                format!("- **Document:** {} ({})", chunk.document_title, chunk.document_id),
            ];
            lines.extend(labelled("Parent", chunk.parent_id.as_deref()));
            lines.push(format!("- **Content:** {}", chunk.content));
            lines.join("\n")
        })
        .collect();
    let (word, count) = (direction.word(), chunks.len());
    format!("## {label}\n\n**Direction:** {word} | **Results:** {count}\n\n{}", chunks.join("\n\n"))
}

/// An answer with its sources, gaps and conflicts.
pub(crate) fn reasoned(reasoned: &Reasoned) -> String {
    let mut sections = Vec::new();
    if !reasoned.answer.is_empty() {
        sections.push(format!("# Answer\n\n{}", reasoned.answer));
    }
    let sources: Vec<String> = reasoned
        .citations
        .iter()
        .map(|one| {
            let (title, document, chunk) = (&one.document_title, &one.document_id, &one.chunk_id);
            format!("{title} (doc: {document}, chunk: {chunk}, score: {:.2})", one.score)
        })
        .collect();
    for (title, items) in
        [("Sources", &sources), ("Gaps", &reasoned.gaps), ("Conflicts", &reasoned.conflicts)]
    {
        if !items.is_empty() {
            let items: Vec<String> = items.iter().map(|item| format!("- {item}")).collect();
            sections.push(format!("## {title}\n{}", items.join("\n")));
        }
    }
    let meta = &reasoned.meta;
    sections.push(format!(
        "## Meta\n- Chunks gathered: {}\n- Citations dropped: {}\n- Latency: {}ms",
        meta.chunks_gathered, meta.citations_dropped, meta.latency_ms
    ));
    sections.join("\n\n")
}

fn nothing(query: &str) -> String {
    format!("No results found for \"{query}\".")
}

fn labelled(label: &str, value: Option<&str>) -> Option<String> {
    value.map(|value| format!("- **{label}:** {value}"))
}

/// Lines in one, without the white space around their breaks.
fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use contract::library::{
        Found, FoundDocument, FoundMeta, Level, Retrieval, SearchMeta, SearchResult, SiblingIds,
    };

    use super::*;

    /// The seed system's own example, word for word.
    #[test]
    fn chunks_are_laid_out_as_the_seed_system_does() {
        let result = SearchResult {
            chunk_id: "chunk_ddd".to_owned(),
            content: "Sample chunk content.".to_owned(),
            score: 0.95,
            level: Level::Paragraph,
            document_title: "Sample Document".to_owned(),
            document_id: "doc_bbb".to_owned(),
            parent_id: Some("chunk_eee".to_owned()),
            sibling_ids: SiblingIds {
                prev: Some("chunk_fff".to_owned()),
                next: Some("chunk_ggg".to_owned()),
            },
            section_path: String::new(),
            url: None,
        };
        let meta = SearchMeta {
            query: "test".to_owned(),
            total_results: 1,
            latency_ms: 0,
            retrieval: Retrieval::Lexical,
            coverage: 1.0,
            corrected: Vec::new(),
        };
        assert_eq!(
            searched(&Searched { results: vec![result], meta }),
            "## Progressive Disclosure Search: \"test\"\n\n**Total Results:** 1\n\n### Result 1\n- **chunkId:** chunk_ddd\n\
             - **Score:** 0.95\n- **Level:** paragraph\n- **Document:** Sample Document (doc_bbb)\n\
             - **Content:** Sample chunk content.\n- **Parent:** chunk_eee\n- **Prev Sibling:** chunk_fff\n\
             - **Next Sibling:** chunk_ggg"
        );
    }

    #[test]
    fn a_highlight_stays_on_one_line() {
        let document = FoundDocument {
            document_id: "jn7xyz".to_owned(),
            title: "D1".to_owned(),
            score: 1.0,
            highlight: Some("| Step | Task |\n|---|---|\n| B1 | needle row |".to_owned()),
            chunk_id: Some("kch123".to_owned()),
        };
        let data = Found { documents: vec![document], ..Found::default() };
        let reply = FoundReply { data, meta: FoundMeta { semantic: false, query: "needle".to_owned() } };
        assert_eq!(
            found(&reply),
            "## Search Results for \"needle\"\n\n### Documents (1)\n- **D1** (id: jn7xyz, chunkId: kch123)\n  \
             > | Step | Task | |---|---| | B1 | needle row |"
        );
    }
}
