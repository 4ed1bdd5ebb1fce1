package door

import (
	"net"
	"net/netip"
	"slices"
	"strings"
)

// Reach lists where devices reach the door, the likeliest first; on every address of
// this machine where it listens on all of them. Without a port nobody does.
func (d Door) Reach() []string { return Reach(d.Scheme, d.Listener.Addr().String()) }

// Reach lists where devices would reach a door at an address.
func Reach(scheme, address string) []string {
	host, port, err := net.SplitHostPort(address)
	if err != nil || port == "0" {
		return nil
	}
	if at, err := netip.ParseAddr(host); host != "" && (err != nil || !at.IsUnspecified()) {
		return []string{scheme + "://" + net.JoinHostPort(host, port)}
	}
	var urls []string
	for _, at := range own() {
		urls = append(urls, scheme+"://"+net.JoinHostPort(at.String(), port))
	}
	return urls
}

// own lists the addresses at which other machines reach this one: that by which it
// would go out first, then those of real networks before those that programs made,
// and IPv4 before IPv6.
func own() []netip.Addr {
	type found struct {
		at   netip.Addr
		rank int
	}
	var all []found
	interfaces, _ := net.Interfaces() // none is a fine answer
	for _, i := range interfaces {
		if i.Flags&net.FlagUp == 0 || i.Flags&net.FlagLoopback != 0 {
			continue
		}
		addresses, _ := i.Addrs()
		for _, a := range addresses {
			prefix, err := netip.ParsePrefix(a.String())
			if at := prefix.Addr().Unmap(); err == nil && at.IsGlobalUnicast() {
				all = append(all, found{at, rank(i.Name, at)})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return a.rank - b.rank })
	var list []netip.Addr
	for _, f := range all {
		list = append(list, f.at)
	}
	return list
}

// made are how interfaces begin that lead to no network of people.
var made = []string{"docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "tun", "tap", "utun", "wg", "tailscale", "zt", "cni", "flannel", "podman", "lxc"}

func rank(name string, at netip.Addr) int {
	rank := 1
	if slices.ContainsFunc(made, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
		rank += 2
	}
	if at.Is6() {
		rank += 4
	}
	if at == outward() {
		rank = 0
	}
	return rank
}

// outward is the address by which this machine would go out; nothing is sent.
func outward() netip.Addr {
	conn, err := net.Dial("udp4", "192.0.2.1:9") // an address of documents alone
	if err != nil {
		return netip.Addr{}
	}
	defer conn.Close()
	at, _ := netip.ParseAddrPort(conn.LocalAddr().String())
	return at.Addr()
}
