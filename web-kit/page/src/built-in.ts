/** Name of the hospital whose facts are built in. The keys of these facts end in `##built-in`. */
export const BUILT_IN_NAME = 'Sampige Hospital';
