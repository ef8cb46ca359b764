// Pages that declare `bare` use this instead of style.ts.
import './bare.css';
