//! Limits on HTML, checked before any processing. Misnested tags can turn a small text into a deep and large tree, and
//! the cost of each element grows with the depth.

use std::{borrow::Cow, cell::Cell, rc::Rc};

use html5ever::{
    Attribute, ExpandedName, LocalName, ParseOpts, QualName, local_name, ns,
    tendril::{StrTendril, TendrilSink},
    tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeSink},
};

/// Maximum elements of a post, including those that a browser adds.
pub(crate) const ELEMENTS_MAX: usize = 6_000;
/// Maximum nesting depth of elements.
pub(crate) const DEPTH_MAX: usize = 40;
/// Maximum size of a post's HTML, in bytes. Unclosed tags are repeated with their attributes, so the HTML can be far
/// larger than the input.
pub(crate) const HTML_BYTES_MAX: usize = 512 * 1024;
/// Bytes parsed between two checks of the limits.
const CHUNK_BYTES: usize = 512;

/// The exceeded limit; `Display` is the message for the writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TooMuch {
    #[error(
        "must have at most {ELEMENTS_MAX} HTML elements, including those that unclosed tags repeat"
    )]
    Elements,
    #[error("must nest HTML elements at most {DEPTH_MAX} levels deep")]
    Depth,
    #[error("must be at most {HTML_BYTES_MAX} bytes of HTML, including what unclosed tags repeat")]
    Bytes,
}

/// Parses up to the end or the first exceeded limit.
pub(super) fn check(html: &str) -> Result<(), TooMuch> {
    let sizes = Rc::new(Sizes::default());
    let context = QualName::new(None, ns!(html), local_name!("div"));
    let tree = Tree {
        sizes: Rc::clone(&sizes),
    };
    // The same parser settings as ammonia's.
    let mut parser =
        html5ever::parse_fragment(tree, ParseOpts::default(), context, Vec::new(), false);
    let mut rest = html;
    while !rest.is_empty() {
        let (chunk, later) = rest.split_at(rest.floor_char_boundary(CHUNK_BYTES));
        parser.process(StrTendril::from(chunk));
        sizes.check()?;
        rest = later;
    }
    parser.finish();
    sizes.check()
}

#[derive(Debug, Default)]
struct Sizes {
    elements: Cell<usize>,
    depth: Cell<usize>,
    bytes: Cell<usize>,
}

impl Sizes {
    fn add_element(&self, bytes: usize) {
        self.elements.update(|elements| elements + 1);
        self.bytes.update(|sum| sum + bytes);
    }

    fn check(&self) -> Result<(), TooMuch> {
        if self.elements.get() > ELEMENTS_MAX {
            Err(TooMuch::Elements)
        } else if self.depth.get() > DEPTH_MAX {
            Err(TooMuch::Depth)
        } else if self.bytes.get() > HTML_BYTES_MAX {
            Err(TooMuch::Bytes)
        } else {
            Ok(())
        }
    }
}

/// A parser sink that only measures the tree without building it.
struct Tree {
    sizes: Rc<Sizes>,
}

/// A node of the tree, which is not built.
#[derive(Clone)]
struct Node(Rc<Place>);

struct Place {
    name: QualName,
    /// Number of enclosing elements.
    depth: Cell<usize>,
}

impl Tree {
    fn node(name: QualName) -> Node {
        let depth = Cell::new(0);
        Node(Rc::new(Place { name, depth }))
    }

    fn nameless() -> Node {
        Self::node(QualName::new(None, ns!(), LocalName::from("")))
    }

    /// Places a child at a depth. Text has none.
    fn put(&self, child: &NodeOrText<Node>, depth: usize) {
        if let NodeOrText::AppendNode(Node(place)) = child {
            place.depth.set(depth);
            self.sizes.depth.update(|deepest| deepest.max(depth));
        }
    }
}

impl TreeSink for Tree {
    type Handle = Node;
    type Output = ();
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) {}

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Node {
        Self::nameless()
    }

    fn elem_name<'a>(&'a self, target: &'a Node) -> ExpandedName<'a> {
        target.0.name.expanded()
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, _: ElementFlags) -> Node {
        let attribute_bytes = |own: &Attribute| own.name.local.len() + own.value.len();
        let bytes: usize = attributes.iter().map(attribute_bytes).sum();
        self.sizes.add_element(name.local.len() + bytes);
        Self::node(name)
    }

    fn create_comment(&self, _text: StrTendril) -> Node {
        Self::nameless()
    }

    fn create_pi(&self, _target: StrTendril, _data: StrTendril) -> Node {
        Self::nameless()
    }

    fn append(&self, parent: &Node, child: NodeOrText<Node>) {
        self.put(&child, parent.0.depth.get() + 1);
    }

    fn append_based_on_parent_node(&self, element: &Node, _before: &Node, child: NodeOrText<Node>) {
        self.put(&child, element.0.depth.get());
    }

    fn append_before_sibling(&self, sibling: &Node, child: NodeOrText<Node>) {
        self.put(&child, sibling.0.depth.get());
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    /// The contents may share the element's node, because every node is counted anyway.
    fn get_template_contents(&self, target: &Node) -> Node {
        target.clone()
    }

    fn same_node(&self, one: &Node, other: &Node) -> bool {
        Rc::ptr_eq(&one.0, &other.0)
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn add_attrs_if_missing(&self, _target: &Node, _attributes: Vec<Attribute>) {}

    fn remove_from_parent(&self, _target: &Node) {}

    fn reparent_children(&self, _node: &Node, _parent: &Node) {}
}
