package kubeloom

// Version is the version of the server that this kit belongs to.
const Version = "0.1.0"
