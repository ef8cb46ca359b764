// Pages that declare `bare` have this in place of style.ts.
import './bare.css';
