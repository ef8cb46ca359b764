// Replaced by server-entry-loader.mjs with the imports of one package's modules.
