// The order of the layers is the first rule of the document, so tokens come first.
import './tokens.css';
import './base.css';
import '../skeleton.module.css';
