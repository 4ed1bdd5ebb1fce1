package appliance

import (
	"footbridge/app/analysis"
)

// bucket is the one that the settings name for a repository that is Synapse.
func (p *place) bucket() analysis.Bucket {
	b := p.live.Settings().Bucket
	return analysis.Bucket{Name: b.Name, Region: b.Region, Endpoint: b.Endpoint, Provider: b.Provider}
}
