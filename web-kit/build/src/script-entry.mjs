// Replaced by script-entry-loader.mjs with the call of one small script.
