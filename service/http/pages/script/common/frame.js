// Whether this page is shown in a frame of another page, as `/compare` does.

export const isEmbedded = () => window.parent !== window;
