// Tokens come first: they start with the order of the layers, which must be the document's first rule.
import './tokens.css';
import './previous-tokens.css';
import './fonts.css';
import './base.css';
import './languages.css';
import '../skeleton.module.css';
