// Package appliancetest makes homes, lets appliances work in them, and sends them files as
// devices do. For tests alone.
package appliancetest
