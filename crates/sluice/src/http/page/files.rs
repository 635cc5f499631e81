//! The files of the pages: part of the binary, each with its kind, its tag and its compressed form.

use std::io::Write;
use std::sync::OnceLock;

use axum::body::Bytes;
use axum::http::HeaderValue;
use brotli::CompressorWriter;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::http::page::lean;

macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../../page/", $name)))),*]
    };
}

/// Every file with its text; a test holds the list to the folder.
const FILES: &[(&str, &str)] = files! {
    "chat/card.js"
    "chat/chat.js"
    "chat/citations.js"
    "chat/composer.js"
    "chat/connection.js"
    "chat/examples.js"
    "chat/history.js"
    "chat/keys.js"
    "chat/main.js"
    "chat/notes.js"
    "chat/proof.js"
    "chat/scroll.js"
    "chat/session.js"
    "chat/side.js"
    "chat/steps.js"
    "chat/trace-drawer.js"
    "chat/turn-view.js"
    "chat/turn.js"
    "embed.mjs"
    "icon.svg"
    "index.html"
    "lib/api.js"
    "lib/colours.js"
    "lib/copy.js"
    "lib/dom.js"
    "lib/format.js"
    "lib/id.js"
    "lib/keep.js"
    "lib/markdown-inline.js"
    "lib/markdown.js"
    "lib/print.js"
    "lib/say.js"
    "lib/sse.js"
    "lib/theme.js"
    "lib/url.js"
    "operator/key.js"
    "operator/timeline.js"
    "operator/tools.js"
    "operator/trace.js"
    "styles/base.css"
    "styles/chat.css"
    "styles/evidence.css"
    "styles/operator.css"
    "tools.html"
    "trace.html"
    "views/csv.js"
    "views/heatmap.js"
    "views/table.js"
    "views/timeseries.js"
    "views/view.js"
};

/// The modules of the chat that a browser is told of at once; what is loaded on demand, or by itself, is not among them.
const PRELOADED: [&str; 3] = ["chat/", "lib/", "views/"];
const NOT_PRELOADED: [&str; 2] = ["chat/main.js", "lib/theme.js"];

/// What a module of the chat loads once it is needed: a proof of work, the drawing of a view, a trace that is opened.
const ON_DEMAND: [&str; 5] = [
    "chat/proof.js",
    "chat/trace-drawer.js",
    "operator/timeline.js",
    "views/heatmap.js",
    "views/timeseries.js",
];

/// The styles of the chat, one after the other in one file: they compress better together, and are one request.
const CHAT_STYLE: &str = "styles/all.css";
const CHAT_STYLES: [&str; 3] = ["styles/base.css", "styles/chat.css", "styles/evidence.css"];

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Document,
    Script,
    Style,
    Picture,
}

impl Kind {
    fn of(name: &str) -> Self {
        match name.rsplit_once('.') {
            Some((_, "html")) => Self::Document,
            Some((_, "css")) => Self::Style,
            Some((_, "svg")) => Self::Picture,
            Some(_) | None => Self::Script,
        }
    }

    /// The file's media type.
    pub(super) fn media_type(self) -> &'static str {
        match self {
            Self::Document => "text/html; charset=utf-8",
            Self::Script => "text/javascript; charset=utf-8",
            Self::Style => "text/css; charset=utf-8",
            Self::Picture => "image/svg+xml",
        }
    }
}

/// One file as it is served.
pub(super) struct Asset {
    name: &'static str,
    pub(super) kind: Kind,
    bytes: Bytes,
    etag: HeaderValue,
    gzip: OnceLock<Bytes>,
    brotli: OnceLock<Bytes>,
}

/// How a file may be compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Brotli,
    Gzip,
}

impl Encoding {
    /// The encoding's name in headers.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }
}

/// Brotli's best, and a window that holds any of the files.
const BROTLI_QUALITY: u32 = 11;
const BROTLI_WINDOW: u32 = 18;
const BUFFER_BYTES: usize = 4096;

impl Asset {
    fn new(name: &'static str, text: impl Into<Bytes>) -> Self {
        let bytes = text.into();
        let tag = format!("\"{}\"", &hex::encode(Sha256::digest(&bytes))[..32]);
        let etag = HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"\""));
        Self { name, kind: Kind::of(name), bytes, etag, gzip: OnceLock::new(), brotli: OnceLock::new() }
    }

    pub(super) fn etag(&self) -> &HeaderValue {
        &self.etag
    }

    pub(super) fn bytes(&self) -> Bytes {
        self.bytes.clone()
    }

    /// The file in an encoding, compressed when it is first asked for.
    pub(super) fn compressed(&self, encoding: Encoding) -> Bytes {
        let kept = match encoding {
            Encoding::Brotli => self.brotli.get_or_init(|| brotli(&self.bytes)),
            Encoding::Gzip => self.gzip.get_or_init(|| gzip(&self.bytes)),
        };
        kept.clone()
    }
}

fn brotli(bytes: &[u8]) -> Bytes {
    let mut writer = CompressorWriter::new(Vec::new(), BUFFER_BYTES, BROTLI_QUALITY, BROTLI_WINDOW);
    // Writing into memory does not fail.
    let written = writer.write_all(bytes);
    written.map(|()| Bytes::from(writer.into_inner())).unwrap_or_default()
}

fn gzip(bytes: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing into memory does not fail.
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.map(Bytes::from).unwrap_or_default()
}

/// All of the files, and the name of the folder that they are served under.
pub(super) struct Bundle {
    hash: String,
    assets: Vec<Asset>,
}

impl Bundle {
    /// The files, with what their documents say of this server.
    pub(super) fn new(has_samples: bool) -> Self {
        let mut digest = Sha256::new();
        for (name, text) in FILES {
            digest.update(name);
            digest.update(text);
        }
        let hash = hex::encode(digest.finalize())[..16].to_owned();
        let assets = FILES.iter().map(|(name, text)| match Kind::of(name) {
            Kind::Document => Asset::new(name, document(name, text, &hash, has_samples)),
            Kind::Script => Asset::new(name, lean::script(text)),
            Kind::Style => Asset::new(name, lean::style(text)),
            Kind::Picture => Asset::new(name, *text),
        });
        let styles = CHAT_STYLES.iter().filter_map(|wanted| FILES.iter().find(|(name, _)| name == wanted));
        let styles: String = styles.map(|(_, text)| lean::style(text)).collect();
        Self { assets: assets.chain([Asset::new(CHAT_STYLE, styles)]).collect(), hash }
    }

    pub(super) fn hash(&self) -> &str {
        &self.hash
    }

    pub(super) fn asset(&self, name: &str) -> Option<&Asset> {
        self.assets.iter().find(|asset| asset.name == name)
    }
}

/// A document with its places filled in. Its addresses are relative: the server may be mounted under any path.
fn document(name: &str, text: &str, hash: &str, has_samples: bool) -> String {
    let up = if name == "trace.html" { "../" } else { "" };
    let assets = format!("{up}assets/{hash}");
    let modules = FILES.iter().map(|(module, _)| *module).filter(|module| {
        PRELOADED.iter().any(|prefix| module.starts_with(prefix))
            && !NOT_PRELOADED.contains(module)
            && !ON_DEMAND.contains(module)
    });
    let preload: Vec<_> =
        modules.map(|module| format!("<link rel=\"modulepreload\" href=\"{assets}/{module}\">")).collect();
    text.replace("{preload}", &preload.join("\n"))
        .replace("{assets}", &assets)
        .replace("{samples}", if has_samples { "true" } else { "false" })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    fn gather(folder: &Path, prefix: &str, names: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type().unwrap().is_dir() {
                gather(&entry.path(), &format!("{name}/"), names);
            } else {
                names.insert(name);
            }
        }
    }

    #[test]
    fn every_file_of_the_folder_is_served() {
        let mut there = BTreeSet::new();
        gather(&Path::new(env!("CARGO_MANIFEST_DIR")).join("page"), "", &mut there);
        let listed: BTreeSet<_> = FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(listed, there);
    }

    #[test]
    fn every_import_leads_to_a_file() {
        for (name, text) in
            FILES.iter().filter(|(name, _)| std::path::Path::new(name).extension() == Some("js".as_ref()))
        {
            let folder = Path::new(name).parent().unwrap();
            let imports = text.lines().filter_map(|line| line.split(" from \"").nth(1)?.strip_suffix("\";"));
            let on_demand = text.split("import(\"./").skip(1).filter_map(|rest| rest.split('"').next());
            for import in imports
                .chain(on_demand)
                .filter(|import| std::path::Path::new(import).extension() == Some("js".as_ref()))
            {
                let target = match import.strip_prefix("../") {
                    Some(rest) => rest.to_owned(),
                    None => folder.join(import.trim_start_matches("./")).to_string_lossy().into_owned(),
                };
                assert!(FILES.iter().any(|(file, _)| **file == target), "{name} imports {import}");
            }
        }
    }

    #[test]
    fn what_the_chat_loads_is_small() {
        let bundle = Bundle::new(true);
        let is_first = |name: &str| {
            let is_module = PRELOADED.iter().any(|prefix| name.starts_with(prefix));
            (is_module && !ON_DEMAND.contains(&name))
                || matches!(name, "index.html" | "icon.svg" | CHAT_STYLE)
        };
        let bytes = |encoding, is_meant: &dyn Fn(&str) -> bool| -> usize {
            let meant = bundle.assets.iter().filter(|asset| is_meant(asset.name));
            meant.map(|asset| asset.compressed(encoding).len()).sum()
        };
        for encoding in [Encoding::Gzip, Encoding::Brotli] {
            let loaded = bytes(encoding, &is_first);
            assert!(loaded <= 40_000, "{loaded} bytes ({})", encoding.name());
        }
        // With all that may be loaded later, too, where the browser reads what every one of today reads.
        let all = bytes(Encoding::Brotli, &|name| is_first(name) || ON_DEMAND.contains(&name));
        assert!(all <= 40_000, "{all} bytes");
    }
}
