// Pages in Hindi use this after style.ts.
import './hi.css';
