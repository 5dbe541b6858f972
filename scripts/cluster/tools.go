//go:build tools

// Names the provisioner, which is built from this module too, so that go.mod keeps it.
package main

import _ "github.com/rancher/local-path-provisioner"
