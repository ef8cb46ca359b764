/** The script runs in the gateway or in a test. */
export const IS_BROWSER: boolean = false;
