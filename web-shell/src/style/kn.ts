// Pages in Kannada use this after style.ts.
import './kn.css';
