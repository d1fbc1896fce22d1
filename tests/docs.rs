//! The documents say what is so: links lead somewhere, and what is stated of the program holds.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use support::shell::tandem;

/// All documents of the repository.
fn documents() -> Vec<PathBuf> {
    let mut found = vec!["README.md".into(), "CHANGELOG.md".into(), "CONTRIBUTING.md".into()];
    for folder in ["docs", "crates", "fuzz", "networks", "tests"] {
        collect(Path::new(folder), &mut found);
    }
    assert!(found.len() > 20, "{found:?}");
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() && name != "target" && name != "node_modules" {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// The lines of a document that are not code, without what stands between backticks.
fn prose(text: &str) -> impl Iterator<Item = String> {
    let mut is_code = false;
    text.lines().filter_map(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (!is_code && !is_fence).then(|| line.split('`').step_by(2).collect())
    })
}

/// Where the links of a document lead, those into the net left out.
fn links(text: &str) -> Vec<String> {
    // A link may be broken over two lines.
    let text = prose(text).collect::<Vec<_>>().join(" ");
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let inside = targets.map(|(target, _)| target.trim().to_owned());
    inside.filter(|target| !target.contains("://") && !target.starts_with("mailto:")).collect()
}

/// The anchors that a forge makes of a document's headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut seen = BTreeMap::<String, usize>::new();
    let mut is_code = false;
    let mut anchors = BTreeSet::new();
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        let Some(heading) = line.strip_prefix('#').filter(|_| !is_code) else { continue };
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let slug = kept.collect::<String>().replace(' ', "-");
        let count = seen.entry(slug.clone()).or_default();
        anchors.insert(if *count == 0 { slug } else { format!("{slug}-{count}") });
        *count += 1;
    }
    anchors
}

#[test]
fn every_relative_link_leads_to_a_file_and_a_heading() {
    let mut dead = Vec::new();
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document is UTF-8");
        for link in links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let folder = document.parent().expect("a document lies in a folder");
            let target = if file.is_empty() { document.clone() } else { folder.join(file) };
            let leads = if anchor.is_empty() {
                target.exists()
            } else {
                fs::read_to_string(&target).is_ok_and(|text| anchors(&text).contains(anchor))
            };
            if !leads {
                dead.push(format!("{} -> {link}", document.display()));
            }
        }
    }
    assert!(dead.is_empty(), "dead links:\n{}", dead.join("\n"));
}

#[test]
fn links_and_anchors_are_seen_as_a_forge_sees_them() {
    let text = "# A *b*: c's `UCI_Elo`\n[x](a.md#b) `[y](no.md)` ![p](p.png)\n```\n# no\n[z](no.md)\n```\n\
                # A b\n# A b\n[web](https://example.org) [two\nlines](c.md)";
    assert_eq!(links(text), ["a.md#b", "p.png", "c.md"]);
    let expected = ["a-b-cs-uci_elo", "a-b", "a-b-1"].map(str::to_owned);
    assert_eq!(anchors(text), BTreeSet::from(expected));
}

#[test]
fn the_page_of_options_is_what_the_program_prints() {
    let page = fs::read_to_string("docs/options.md").expect("docs/options.md");
    let printed = tandem(&["options"]).succeeded().out;
    assert!(page == printed, "stale: renew it with `tandem options > docs/options.md`");
    let json: serde_json::Value =
        serde_json::from_str(&tandem(&["options", "--json"]).succeeded().out).expect("JSON");
    let options = json["options"].as_array().expect("a list");
    assert!(options.len() > 40, "{json}");
    for option in options {
        let name = option["name"].as_str().expect("a name");
        assert_eq!(page.matches(&format!("\n| `{name}` |")).count(), 1, "{name}");
    }
}

#[test]
fn the_page_of_commands_names_every_subcommand() {
    let page = fs::read_to_string("docs/commands.md").expect("docs/commands.md");
    let help = tandem(&["--help"]).succeeded().out;
    let list = help.split_once("Commands:\n").expect("a list of commands").1;
    let lines = list.lines().take_while(|line| !line.is_empty());
    // Lines that go on with the text of the one above are indented further.
    let names: Vec<&str> = lines
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(names.len() > 10, "{help}");
    for name in names {
        assert!(page.contains(&format!("`tandem {name}")), "{name} is not in docs/commands.md");
    }
}

/// Which crates each crate uses, by the manifests. The program itself is `tandem`.
fn manifests() -> BTreeMap<String, BTreeSet<String>> {
    let crates = fs::read_dir("crates").expect("the crates").flatten();
    let manifests = crates.map(|entry| {
        let name = entry.file_name().into_string().expect("UTF-8");
        (name, entry.path().join("Cargo.toml"))
    });
    let program = ("tandem".to_owned(), PathBuf::from("Cargo.toml"));
    let uses = |text: &str| {
        let text = text.split_once("\n[dependencies]\n").map_or("", |(_, rest)| rest);
        let lines = text.lines().take_while(|line| !line.starts_with('['));
        let names = lines.filter_map(|line| line.strip_prefix("tandem-")?.split(['.', ' ']).next());
        names.map(str::to_owned).collect()
    };
    manifests
        .chain([program])
        .map(|(name, file)| (name, uses(&fs::read_to_string(file).expect("a manifest"))))
        .collect()
}

/// Whether one crate uses another, by way of others too.
fn reaches(uses: &BTreeMap<String, BTreeSet<String>>, from: &str, to: &str) -> bool {
    uses[from].iter().any(|next| next == to || reaches(uses, next, to))
}

/// The lines of the diagram are the dependencies that do not follow from others.
#[test]
fn the_diagram_of_crates_is_that_of_the_manifests() {
    let uses = manifests();
    let mut expected = BTreeSet::new();
    for (user, used) in &uses {
        for other in used {
            let follows = used.iter().any(|between| reaches(&uses, between, other));
            if !follows {
                expected.insert(format!("{user} --> {other}"));
            }
        }
    }
    let page = fs::read_to_string("docs/architecture.md").expect("docs/architecture.md");
    let diagram = page.split("```mermaid\n").nth(1).and_then(|rest| rest.split("```").next());
    let lines = diagram.expect("a diagram").lines().map(str::trim);
    let drawn: BTreeSet<String> =
        lines.filter(|line| line.contains(" --> ")).map(str::to_owned).collect();
    assert_eq!(drawn, expected, "docs/architecture.md beside the manifests");
    for name in uses.keys().filter(|name| *name != "tandem") {
        assert!(page.contains(&format!("\n| `{name}` |")), "no row for {name}");
    }
}
