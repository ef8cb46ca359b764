// Pages of the staff area have this after style.ts.
import './desk.css';
