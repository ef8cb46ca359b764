// Pages that declare `bare` have this in place of style.ts.
import './tokens.css';
import './base.css';
import './bare.css';
